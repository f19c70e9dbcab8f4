// Threads that change the variable of the loop that starts them.
#include <assert.h>
#include <pthread.h>

int i;

void *work(void *arg) {
    i = 3;
    return NULL;
}

int main(void) {
    pthread_t t;
    for (i = 0; i < 2; i++)
        pthread_create(&t, NULL, work, NULL);
    assert(i == 2); //~ error[assertion-failed]
}
