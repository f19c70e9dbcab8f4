//@ proved: 2
// `&`, `|` and `^` of comparisons, of `_Bool` variables and of the numbers 0 and 1, all of which
// may be shared: each variable is read in a step of its own.
#include <assert.h>
#include <pthread.h>

int x, y;
_Bool flag;

void *other(void *arg) {
    x = 1;
    y = 1;
    flag |= (x == 1) & (y == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    assert((x == 1) & (y == 1) & flag & 1);
    assert(!((x == 0) | (y == 0) | (x == 1) ^ (y == 1) | 0));
}
