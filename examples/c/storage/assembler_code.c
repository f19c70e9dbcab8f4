// Code for the machine may do anything.
#include <assert.h>

int x;

int main(void) {
    __asm__("movl $1, x"); //~ unknown[unsupported] "machine"
    assert(x == 0);
}
