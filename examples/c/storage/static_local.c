//@ proved: 1
// There is one of a static variable, whatever its function is called with.
#include <assert.h>

int x, y;

void number(int *to) {
    static int next = 1;
    *to = next++;
}

int main(void) {
    number(&x);
    number(&y);
    assert(x == 1 && y == 2);
}
