//@ proved: 2
// Nothing happens after the end.
#include <assert.h>
#include <stdlib.h>

int status(void) {
    return 3;
}

int main(void) {
    int x = 1;
    assert(x == 1);
    exit(status());
    assert(x == 2);
}
