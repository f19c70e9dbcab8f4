// Which text is meant depends on a condition that is no number; it is not guessed.
#include <assert.h>
#define LEVEL "high"
#if LEVEL > 2 //~ error[syntax-error] "not understood"
int x = 0;
#else
int x = 1;
#endif
int main(void) {
  assert(x == 0);
  return 0;
}
