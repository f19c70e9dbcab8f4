// The name says that it assumes something, but its body does not.
#include <assert.h>

void assume_abort_if_not(int condition) {
}

int main(void) {
    int x = __VERIFIER_nondet_bool();
    assume_abort_if_not(x == 1);
    assert(x == 1); //~ error[assertion-failed]
}
