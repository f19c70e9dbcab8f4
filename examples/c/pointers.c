//@ proved: 2
// Pointers whose targets are known beforehand are followed.
#include <pthread.h>

int x, y;
pthread_mutex_t m;

void locked_add(pthread_mutex_t *lock, int *where, int what) {
    pthread_mutex_lock(lock);
    *where = *where + what;
    pthread_mutex_unlock(lock);
}


void *adds(void *arg) {
    locked_add(&m, (int *)arg, 2);
    return 0;
}

int main() {
    pthread_t a, b;
    int local = 1;
    pthread_create(&a, 0, adds, &local);
    pthread_create(&b, 0, adds, (void *)&x);
    locked_add(&m, &x, 3);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(local == 3 && x == 5 && y == 0);
}
