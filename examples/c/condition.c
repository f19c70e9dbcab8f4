//@ proved: 4
#include <pthread.h>

int ready;
int data;
pthread_mutex_t m;
pthread_cond_t c;

void *producer(void *arg) {
    pthread_mutex_lock(&m);
    data = 42;
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_exit(0);
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    assert(data == 42);
    pthread_mutex_unlock(&m);
}
