// Some checkers start a thread here.
#include <assert.h>

int x;

int main(void) {
__CPROVER_ASYNC_1: //~ unknown[unsupported] "label"
    x = 1;
    assert(x == 1);
}
