// A header of its own may define anything.
#include <assert.h>
#include "configuration.h" //~ error[syntax-error] "is not read"

int main(void) {
    int x = 1;
    assert(x == 1);
}
