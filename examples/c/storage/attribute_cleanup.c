// A function that runs at the end of the block is not looked at.
#include <assert.h>

int x;

void leave(int *p) {
    x = 1;
}

int main(void) {
    {
        int y __attribute__((cleanup(leave))) = 0; //~ unknown[unsupported] "cleanup"
    }
    assert(x == 0);
}
