//@ proved: 6
// Constants have types, and variables that nobody changes keep theirs.
#include <assert.h>

unsigned one = 1;
char cut = 300;
enum sign { NEGATIVE = -1, POSITIVE };

int main(void) {
    assert(one - 2 > 0);
    assert(cut == 44);
    enum sign sign = NEGATIVE;
    assert(sign < 0);
    int x = -1;
    assert(0xFFFFFFFF == x);
    assert(4294967295 != x);
    assert(sizeof(int) < x);
}
