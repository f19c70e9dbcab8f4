//@ proved: 4
// Operators that read and write an atomic variable do so in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int n;
atomic_int all[2];

void *work(void *arg) {
    n++;
    all[1] += 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    ++n;
    all[1] -= 1;
    pthread_join(t, NULL);
    assert(n == 2 && all[1] == 1);
}
