// Which text is meant depends on a condition that is not evaluated; it is not guessed. //~ error[syntax-error] "main"
#define LEVEL 3
#if LEVEL > 2
int x = 0;
#else
int x = 1;
#endif
int main(void) {
  assert(x == 0);
  return 0;
}
