extern int __VERIFIER_nondet_int(void);

int main() {
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(0 <= n && n < 10);
    assert(n != 7); //~ error[assertion-failed] "n = 7"
}
