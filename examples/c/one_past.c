//@ proved: 2
// A pointer behind the end of an array does no harm as long as nobody follows it.
#include <assert.h>

int a[3] = {1, 2, 3};

int value(int *where, int is_there) {
    return is_there && *where;
}

int main(void) {
    int x = value(&a[3], 0);
    assert(x == 0);
}
