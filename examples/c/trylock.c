//@ proved: 3
#include <pthread.h>

int x;
pthread_mutex_t m;

void *work(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x = x + 1;
        assert(x == 1);
        x = x - 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 0);
}
