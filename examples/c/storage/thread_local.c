// Each thread has a variable of its own, which is not supported yet.
#include <assert.h>
#include <pthread.h>

__thread int n;

void *work(void *arg) {
    n = 1; //~ unknown[unsupported] "each thread"
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(n == 1);
}
