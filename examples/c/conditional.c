//@ proved: 1
// One of two texts is chosen where that is certain.
#define CAREFUL
#ifdef CAREFUL
int x = 0;
#else
int x = 1;
#endif
#if 0
int y = broken;
#endif
int main(void) {
  assert(x == 0);
  return 0;
}
