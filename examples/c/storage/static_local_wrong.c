// Threads share it.
#include <assert.h>
#include <pthread.h>

void count(void) {
    static int n;
    n = n + 1;
    assert(n == 1); //~ error[assertion-failed]
}

void *work(void *arg) {
    count();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    count();
}
