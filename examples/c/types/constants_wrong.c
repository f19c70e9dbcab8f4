// The difference has no sign.
#include <assert.h>

unsigned one = 1;

int main(void) {
    assert(one - 2 < 0); //~ error[assertion-failed]
}
