// Which function is meant is not known.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m;

int pthread_mutex_lock(pthread_mutex_t *m) {
    return 0;
}

int main(void) {
    int x = 1;
    pthread_mutex_lock(&m); //~ unknown[unsupported] "defines in its own way"
    assert(x == 1);
}
