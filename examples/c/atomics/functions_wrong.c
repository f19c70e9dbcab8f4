// Somebody may have been first.
#include <assert.h>
#include <pthread.h>

int owner;

void *work(void *arg) {
    __sync_bool_compare_and_swap(&owner, 0, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int mine = __sync_bool_compare_and_swap(&owner, 0, 2);
    assert(mine); //~ error[assertion-failed]
}
