// Others may see the value before it is known to be small.
#include <assert.h>
#include <pthread.h>

int x;

void *look(void *arg) {
    assert(x < 10); //~ error[assertion-failed]
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    x = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(x >= 0 && x < 3);
}
