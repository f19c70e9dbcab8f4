//@ proved: 1
// A variable may be used for one thread after another.
#include <assert.h>
#include <pthread.h>

int x;

void *one(void *arg) {
    x = 1;
    return NULL;
}

void *other(void *arg) {
    x = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    assert(x == 2);
}
