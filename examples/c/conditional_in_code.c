// Conditions are evaluated where they stand, also inside a function.
#include <assert.h>
#define LEVEL 3
int x = 0;
int main(void) {
#if LEVEL > 2 && !defined(QUIET)
  x = 1;
#elif LEVEL > 1
  x = 2;
#endif
  assert(x == 0); //~ error[assertion-failed]
  return 0;
}
