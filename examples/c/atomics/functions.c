//@ proved: 2
// Functions that read and write in one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;
int owner;

void *work(void *arg) {
    atomic_fetch_add(&n, 1);
    if (__sync_bool_compare_and_swap(&owner, 0, 1))
        assert(owner == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_fetch_add(&n, 1);
    __sync_bool_compare_and_swap(&owner, 0, 2);
    pthread_join(t, NULL);
    assert(atomic_load(&n) == 2);
}
