// That number is not 1.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    int answer = pthread_mutex_trylock(&m);
    assert(answer == 1); //~ error[assertion-failed]
}
