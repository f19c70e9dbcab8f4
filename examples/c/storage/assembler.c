//@ proved: 1
// A barrier for compilers does nothing.
#include <assert.h>

int x;

int main(void) {
    x = 1;
    __asm__ __volatile__("" ::: "memory");
    assert(x == 1);
}
