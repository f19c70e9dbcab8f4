//@ proved: 2
// A line is joined with the next, also in a comment \
   assert(0);
#include <assert.h>

#define FIVE 5 /* not
#define FIVE 6 */

int main(void) {
    int to\
gether = FIVE;
    assert(together == 5);
    int x = together; // x is not changed \
    x = 1;
    assert(x == 5);
}
