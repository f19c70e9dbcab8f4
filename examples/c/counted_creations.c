// Each iteration starts one thread, so that there are never more than were counted. Rely cannot show it, because the
// number grows without bound.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_bool(void);

int created;
int running;

void *work(void *arg) {
    __VERIFIER_atomic_begin();
    running++;
    //~ unknown[alarm-unconfirmed]
    assert(running <= created);
    __VERIFIER_atomic_end();
    return 0;
}

int main() {
    pthread_t t;
    while (created < 3) {
        created++;
        pthread_create(&t, 0, work, 0);
    }
}
