//@ define: THREADS=2
// The header gives the macro another value, as `rely check -D THREADS=2` does.
#include <assert.h>
#include <pthread.h>
#define THREADS 3

int sum;

void *add(void *arg) {
    sum++;
    return NULL;
}

int main(void) {
    pthread_t t[THREADS];
    int i;
    for (i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(sum == THREADS); //~ error[assertion-failed]
}
