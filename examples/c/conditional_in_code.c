// Inside a function, what depends on such a condition is not supported where it is reached.
#define LEVEL 3
int x = 0;
int main(void) {
#if LEVEL > 2 //~ unknown[unsupported]
  x = 1;
#endif
  assert(x == 0);
  return 0;
}
