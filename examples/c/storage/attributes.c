//@ proved: 1
// These change nothing.
#include <assert.h>

static int f(int x __attribute__((unused))) __attribute__((noinline, warn_unused_result));

static int f(int x) {
    return 1;
}

int main(void) {
    int y __attribute__((aligned(8))) = f(2);
    assert(y == 1);
}
