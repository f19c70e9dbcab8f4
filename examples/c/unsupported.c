// What cannot be translated is told at its place if a run may reach it. Then nothing counts as proved.
struct pair { int a, b; };
struct pair p;
double d;

int unused(void) { return p.a; }

int main() {
    int x = 1;
    assert(x == 1);
    p.a = 2; //~ unknown[unsupported] "structure"
    assert(x == 1);
}
