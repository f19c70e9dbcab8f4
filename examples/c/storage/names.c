//@ proved: 3
// Names of constants and types mean something else where the text declares them again.
#include <assert.h>

enum { SMALL = 1 };
typedef int number;

int main(void) {
    { enum { SMALL = 2 }; }
    assert(SMALL == 1);
    int number = 3;
    int twice = number * 2;
    assert(twice == 6);
    int SMALL = 5;
    assert(SMALL == 5);
}
