// The two variables are read in two steps: both may be seen as they never are at one time.
#include <assert.h>
#include <pthread.h>

int x = 1, y;

void *other(void *arg) {
    y = 1;
    x = 0;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    assert((y == 1) | (x == 1)); //~ error[assertion-failed]
}
