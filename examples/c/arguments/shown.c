//@ proved: 1
// What happens while the arguments of output are evaluated counts.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 0;
    printf("%d\n", x++);
    assert(x == 1);
}
