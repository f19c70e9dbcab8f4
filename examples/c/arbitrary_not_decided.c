// There are too many numbers to try them all.
extern int __VERIFIER_nondet_int(void);

int main() {
    int n = __VERIFIER_nondet_int();
    if (n < 0) n = -(n + 1);
    //~ unknown[unsupported]
    assert(n >= 0);
}
