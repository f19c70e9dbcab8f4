// What compilers define is not known.
#include <assert.h>

#ifdef __GNUC__ //~ error[syntax-error] "depends on the compiler"
int x = 1;
#else
int x = 0;
#endif

int main(void) {
    assert(x == 0);
}
