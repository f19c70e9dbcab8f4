#include <pthread.h>

int x, y;

void *shift(void *arg) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    y = y - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, shift, 0);
    assert(x + y == 0); //~ error[assertion-failed]
}
