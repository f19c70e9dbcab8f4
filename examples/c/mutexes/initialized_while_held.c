// The other thread may hold the mutex when it is initialized. On many machines that lets two
// threads in.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *change(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    pthread_mutex_init(&m, NULL); //~ unknown[unsupported]
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
}
