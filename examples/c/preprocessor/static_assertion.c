// What is asserted here must hold before anything runs.
#include <assert.h>

_Static_assert(sizeof(long) == 4, "small"); //~ error[syntax-error] "this is false"

int main(void) {
    int x = 1;
    assert(x == 1);
}
