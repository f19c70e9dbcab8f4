// Through a pointer to a smaller type, only a part is read.
#include <assert.h>

char low(void *p) {
    return *(char *)p; //~ unknown[unsupported] "pointer"
}

int main(void) {
    int x = 300;
    assert(low(&x) == 44);
}
