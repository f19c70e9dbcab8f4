// A variable that is declared behind one case is known behind the next.
#include <assert.h>

int y = 9;

int main(void) {
    int x = __VERIFIER_nondet_bool();
    switch (x) { //~ unknown[unsupported] "declared between two cases"
    case 0:;
        int y = 1;
    case 1:
        y = 3;
    }
    assert(y == 3);
}
