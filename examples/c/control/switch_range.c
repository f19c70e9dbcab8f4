// A range of cases is not supported, and no case is left out for it.
#include <assert.h>

int main(void) {
    int x = 3;
    int y = 0;
    switch (x) { //~ unknown[unsupported] "switch"
    case 0:
        break;
    case 1 ... 5:
        y = 1;
        break;
    }
    assert(y == 0);
}
