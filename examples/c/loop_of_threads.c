//@ proved: 3
// A loop that starts threads is written out if its bounds are known.
#include <assert.h>
#include <pthread.h>
#define THREADS 3

int sum;
pthread_mutex_t m;

void *add(void *arg) {
    int mine = (int)(long)arg;
    pthread_mutex_lock(&m);
    sum += mine;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, (void *)(long)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(sum == 6);
    assert(sum != 5);
    return 0;
}
