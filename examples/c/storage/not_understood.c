// A declaration that is not understood takes away what others say of its names.
#include <assert.h>

int x;
int x @ 0x40;

int main(void) {
    assert(x == 0); //~ unknown[unsupported] "not understood"
}
