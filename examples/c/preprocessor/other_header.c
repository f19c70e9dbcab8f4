// So may one that is not known.
#include <assert.h>
#include <company/base.h> //~ error[syntax-error] "is not read"

int main(void) {
    int x = 1;
    assert(x == 1);
}
