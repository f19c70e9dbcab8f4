// Without `return`, there is no result.
#include <assert.h>

int sign(int x) { //~ unknown[unsupported] "end of a function"
    if (x > 0)
        return 1;
}

int main(void) {
    int x = sign(__VERIFIER_nondet_bool());
    assert(x >= 0);
}
