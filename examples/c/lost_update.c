// `count = count + 1` is two steps: a read and a write.
#include <assert.h>
#include <pthread.h>

int count;

void *add(void *arg) {
    count = count + 1;
    return 0;
}

int main() {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2); //~ error[assertion-failed] "add#2"
}
