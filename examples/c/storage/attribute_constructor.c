// This runs before `main`.
#include <assert.h>

int x;

__attribute__((constructor)) void before(void) { //~ error[syntax-error] "runs by itself"
    x = 1;
}

int main(void) {
    assert(x == 0);
}
