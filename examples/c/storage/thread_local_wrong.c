// What another thread writes is not seen.
#include <assert.h>
#include <pthread.h>

_Thread_local int n;

void *work(void *arg) {
    n = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(n == 1); //~ error[assertion-failed]
}
