// A variable without a first value may have any, also if somebody gets its address.
#include <assert.h>

void look(int *where) {
}

int main(void) {
    int x;
    look(&x);
    assert(x == 0); //~ error[assertion-failed]
}
