//@ proved: 1
// An assumption, written out.
#include <assert.h>
#include <stdlib.h>

void assume_abort_if_not(int condition) {
    if (!condition) {
        abort();
    }
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x >= 3 && x <= 4);
    assert(x == 3 || x == 4);
}
