// There is no place for the variables of any number of threads.
#include <assert.h>
#include <pthread.h>

__thread int n;

void *work(void *arg) {
    n = n + 1; //~ unknown[unsupported] "each of any number of threads"
    assert(n == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, NULL, work, NULL);
}
