// This makes the next statement one of many threads.
#include <assert.h>

int x;

int main(void) {
#pragma omp parallel //~ error[syntax-error] "pragma"
    x++;
    assert(x == 1);
}
