// Written out, they are two steps.
#include <assert.h>
#include <pthread.h>

_Atomic int n;

void *work(void *arg) {
    n = n + 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    n++;
    pthread_join(t, NULL);
    assert(n == 2); //~ error[assertion-failed]
}
