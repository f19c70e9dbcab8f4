//@ proved: 1
// Announced first, defined later.
#include <assert.h>

extern int x;
int x = 4;

int main(void) {
    x = x + 1;
    assert(x == 5);
}
