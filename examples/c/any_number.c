//@ proved: 2
// Any number of threads.
#include <assert.h>
#include <pthread.h>

_Bool busy;
pthread_mutex_t m;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    busy = 1;
    assert(busy == 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, work, 0);
    }
}
