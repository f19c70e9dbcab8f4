//@ proved: 1
// A result that nobody looks at is computed.
#include <assert.h>
#include <pthread.h>

int x;

int leave(void) {
    x = 1;
    return 0;
}

void *work(void *arg) {
    return (void *)(long)leave();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
}
