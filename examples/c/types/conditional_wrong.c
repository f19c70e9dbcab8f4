// The first part becomes a number without sign.
#include <assert.h>

int main(void) {
    long x = 1 ? -1 : 0u;
    assert(x == -1); //~ error[assertion-failed]
}
