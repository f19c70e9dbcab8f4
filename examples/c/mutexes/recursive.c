// A mutex that its holder may lock again is not supported.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE); //~ unknown[unsupported] "another kind"
    pthread_mutex_init(&m, &attributes);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
