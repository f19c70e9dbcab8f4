// Which of two threads `main` waits for depends on a value.
#include <assert.h>
#include <pthread.h>

int choice, x;

void *one(void *arg) {
    x = 1;
    return NULL;
}

void *other(void *arg) {
    return NULL;
}

int main(void) {
    pthread_t t;
    choice = __VERIFIER_nondet_bool();
    if (choice)
        pthread_create(&t, NULL, one, NULL);
    else
        pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL); //~ unknown[unsupported] "not known beforehand"
    assert(x == 1);
}
