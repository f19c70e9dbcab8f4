#include <assert.h>
#include <pthread.h>

int owner;

void *work(void *arg) {
    owner = 1;
    assert(owner == 1); //~ error[assertion-failed]
    owner = 0;
    return 0;
}

int main() {
    pthread_t t;
    while (1) {
        pthread_create(&t, 0, work, 0);
    }
}
