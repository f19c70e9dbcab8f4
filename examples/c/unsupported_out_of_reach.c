//@ proved: 1
// Here no run reaches what cannot be translated.
double d;

int main() {
    int x = 1;
    if (x == 2) {
        d = d * 2;
    }
    assert(x == 1);
}
