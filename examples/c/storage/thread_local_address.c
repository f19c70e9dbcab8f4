//@ proved: 1
// But a thread may be told where the variable of another is.
#include <assert.h>
#include <pthread.h>

__thread int n;

void *work(void *arg) {
    *(int *)arg = 1;
    n = 2;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, &n);
    pthread_join(t, NULL);
    assert(n == 1);
}
