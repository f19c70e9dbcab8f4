// Neither is a case inside of another statement.
#include <assert.h>

int main(void) {
    int x = 2;
    int y = 0;
    switch (x) { //~ unknown[unsupported] "switch"
    case 0:
        if (y) {
        case 2:
            y = 7;
        }
    }
    assert(y == 0);
}
