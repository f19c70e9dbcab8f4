// A parameter may have the name of a function.
#include <assert.h>

int one(void) {
    return 1;
}

int two(void) {
    return 2;
}

int call(int (*one)(void)) {
    return one();
}

int main(void) {
    int x = call(two); //~ unknown[unsupported]
    assert(x == 1);
}
