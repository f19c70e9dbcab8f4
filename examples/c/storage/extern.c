// What is only announced may have any value.
#include <assert.h>

extern int x;

int main(void) {
    assert(x == 0); //~ unknown[unsupported] "declaration is missing"
}
