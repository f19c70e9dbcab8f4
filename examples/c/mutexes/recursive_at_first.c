// Nor is one that is declared so.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; //~ unknown[unsupported] "another kind"

int main(void) {
    pthread_mutex_lock(&m); //~ unknown[unsupported]
    pthread_mutex_lock(&m);
    assert(0);
}
