// Waiting may end without a signal.
#include <pthread.h>

int ready;
pthread_mutex_t m;
pthread_cond_t c;

void *producer(void *arg) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    pthread_mutex_lock(&m);
    if (!ready) pthread_cond_wait(&c, &m);
    assert(ready); //~ error[assertion-failed]
    pthread_mutex_unlock(&m);
}
