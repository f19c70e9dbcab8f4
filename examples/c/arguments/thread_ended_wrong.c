// The same for the result of a thread.
#include <assert.h>
#include <pthread.h>

int x;

int leave(void) {
    x = 1;
    return 0;
}

void *work(void *arg) {
    pthread_exit((void *)(long)leave());
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(x == 0); //~ error[assertion-failed]
}
