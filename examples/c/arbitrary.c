//@ proved: 3
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main() {
    _Bool b = __VERIFIER_nondet_bool();
    assert(b == 0 || b == 1);
    unsigned char c = __VERIFIER_nondet_uchar();
    assert(c <= 255);
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 5);
    int sum = 0;
    for (int i = 1; i <= n; i++) sum += i;
    assert(sum == n * (n + 1) / 2);
}
