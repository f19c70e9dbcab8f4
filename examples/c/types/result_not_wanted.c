//@ proved: 1
// Nobody asks for the result.
#include <assert.h>

int x;

int set(void) {
    x = 1;
}

int main(void) {
    set();
    assert(x == 1);
}
