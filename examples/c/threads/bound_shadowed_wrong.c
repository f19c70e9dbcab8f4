// The bound of the loop is the local one, so that two threads run.
#include <assert.h>
#include <pthread.h>

int n = 1;
int started;
pthread_mutex_t m;

void *work(void *arg) {
    pthread_mutex_lock(&m);
    started = started + 1;
    assert(started == 1); //~ error[assertion-failed]
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    const int n = 2;
    pthread_t t[2];
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, NULL);
}
