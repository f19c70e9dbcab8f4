// There is no third place for a thread.
#include <assert.h>
#include <pthread.h>

void *work(void *arg) {
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int x = 1;
    pthread_create(&t[2], NULL, work, NULL); //~ unknown[unsupported] "outside of an array"
    assert(x == 1);
}
