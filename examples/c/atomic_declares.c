//@ proved: 1
// What an atomic block declares can be used behind it.
#include <pthread.h>

int x, y;

void *both(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, both, 0);
    __VERIFIER_atomic_begin();
    int one = x;
    int other = y;
    __VERIFIER_atomic_end();
    assert(one == other);
}
