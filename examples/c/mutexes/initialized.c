//@ proved: 9
// A mutex that begins and ends while nobody holds it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m[2];
int count;

void *add(void *arg) {
    pthread_mutex_lock(&m[1]);
    count++;
    pthread_mutex_unlock(&m[1]);
    return NULL;
}

int main(void) {
    pthread_mutex_init(&m[1], NULL);
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    pthread_mutex_lock(&m[1]);
    count++;
    pthread_mutex_unlock(&m[1]);
    pthread_join(t, NULL);
    assert(count == 2);
    pthread_mutex_destroy(&m[1]);
}
