// Somebody follows a pointer behind the end of an array.
#include <assert.h>

int a[3] = {1, 2, 3};

int value(int *where, int is_there) {
    return is_there && *where; //~ error[index-out-of-range]
}

int main(void) {
    int x = value(&a[3], 1);
    assert(x == 0);
}
