// `%n` writes where the address points to.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    printf("four%n", &n); //~ unknown[unsupported] "an address"
    assert(n == 0);
}
