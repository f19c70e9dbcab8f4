//@ proved: 3
// Each thread has a variable of its own.
#include <assert.h>
#include <pthread.h>

__thread int n = 5;

int next(void) {
    static _Thread_local int calls;
    calls++;
    return calls;
}

void *work(void *arg) {
    n = n + 1;
    assert(n == 6);
    assert(next() == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int first = next();
    pthread_join(t, NULL);
    assert(n == 5 && first == 1);
}
