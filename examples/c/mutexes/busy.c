//@ proved: 2
// Who does not get a mutex is told so with a number of its own.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    int answer = pthread_mutex_trylock(&m);
    assert(answer == EBUSY);
    pthread_mutex_unlock(&m);
}
