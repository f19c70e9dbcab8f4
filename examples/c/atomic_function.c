//@ proved: 1
// A function whose name begins so happens in one step.
#include <pthread.h>

int lock;
int inside;

int __VERIFIER_atomic_take(void) {
    if (lock) return 0;
    lock = 1;
    return 1;
}

void *work(void *arg) {
    if (__VERIFIER_atomic_take()) {
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        lock = 0;
    }
    return 0;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
}
