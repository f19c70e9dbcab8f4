//@ proved: 5
int a[2];
int zero;

int touched;
int touch(void) { touched = touched + 1; return 1; }

int main() {
    int i = 5;
    assert(i >= 2 || a[i] == 0);
    assert(zero == 0 || 10 / zero > 0);
    int b = zero && touch();
    int c = !zero || touch();
    assert(touched == 0 && b == 0 && c == 1);
}
