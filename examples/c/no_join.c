#include <assert.h>
#include <pthread.h>

int done;

void *work(void *arg) {
    done = 1;
    return 0;
}

int main() {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(done == 1); //~ error[assertion-failed]
}
