//@ engine: explore
// As many threads as were counted, and no more: the loop has a bound, even if it is not known.
#include <pthread.h>

int x, n;

void *check(void *arg) {
    //~ unknown[unsupported]
    assert(x <= n);
    return 0;
}

void *add(void *arg) {
    x = x + 1;
    return 0;
}

int main() {
    pthread_t t;
    n = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n >= 1 && n <= 2);
    pthread_create(&t, 0, check, 0);
    for (int i = 0; i < n; i++)
        pthread_create(&t, 0, add, 0);
}
