//@ proved: 6
// A local array whose address is taken keeps its first values.
#include <assert.h>

void increase(int *where) {
    *where = *where + 1;
}

int main(void) {
    int a[2] = {4, 5};
    increase(&a[0]);
    assert(a[0] == 5 && a[1] == 5);
}
