#include <pthread.h>

int lock;
int inside;

int take(void) {
    if (lock) return 0;
    lock = 1;
    return 1;
}

void *work(void *arg) {
    if (take()) {
        inside = inside + 1;
        assert(inside == 1); //~ error[assertion-failed]
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
