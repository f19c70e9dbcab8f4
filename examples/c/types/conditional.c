//@ proved: 2
// Both parts of a conditional expression have the type in which they meet.
#include <assert.h>

int main(void) {
    _Bool choice = __VERIFIER_nondet_bool();
    unsigned zero = 0;
    long large = choice ? 5000000000 : 1;
    assert(large == 5000000000 || !choice);
    assert((choice ? -1 : zero) > 0 || !choice);
}
