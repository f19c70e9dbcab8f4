// What a function gives back as a pointer is not known.
#include <assert.h>

void *five(void) {
    return (void *)5;
}

int main(void) {
    long x = (long)five(); //~ unknown[unsupported] "result of `five`"
    assert(x == 0);
}
