// Inside of the function another variable is meant.
#include <assert.h>

int n = 2;

int main(void) {
    static int n = 3;
    assert(n == 2); //~ error[assertion-failed]
}
