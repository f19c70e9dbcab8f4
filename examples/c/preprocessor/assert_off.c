//@ proved: 1
// Where `NDEBUG` is defined, assertions are not even evaluated.
#define NDEBUG
#include <assert.h>

int x;

int main(void) {
    assert(x++ == 5);
    if (x != 0)
        reach_error();
}
