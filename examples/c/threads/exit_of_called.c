// Called, the function would end the thread that calls it.
#include <assert.h>
#include <pthread.h>

int x;

void *leave(void *arg) {
    pthread_exit(NULL); //~ unknown[unsupported] "pthread_exit"
}

void *work(void *arg) {
    leave(NULL);
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, leave, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(x == 1);
}
