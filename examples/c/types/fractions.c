// Numbers with fractions are not supported, also as parameters and results.
#include <assert.h>

double half(double d) {
    return d / 2;
}

int main(void) {
    assert(half(3) == 1); //~ unknown[unsupported]
}
