// An argument that the thread does not look at is computed.
#include <assert.h>
#include <pthread.h>

int x;

int first(void) {
    x = 1;
    return 0;
}

void *work(void *arg) {
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int i = 0;
    pthread_create(&t[i++], NULL, work, (void *)(long)first());
    assert(x == 1 && i == 1);
    assert(x == 0); //~ error[assertion-failed]
}
