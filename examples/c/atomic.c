//@ proved: 1
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

int x, y;

void *shift(void *arg) {
    __VERIFIER_atomic_begin();
    int old = x;
    x = old + 1;
    y = y - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main() {
    pthread_t t;
    int sum;
    pthread_create(&t, 0, shift, 0);
    __VERIFIER_atomic_begin();
    sum = x + y;
    __VERIFIER_atomic_end();
    assert(sum == 0);
}
