//@ proved: 2
// The default kind blocks who locks it twice.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&m, &attributes);
    int x = 1;
    assert(x == 1);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(x == 2);
}
