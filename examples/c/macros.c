//@ proved: 1
#define SIZE (2 + 1)
#define TWICE(x) ((x) + (x))
#ifdef MISSING
int main() { assert(0); }
#else
#define CHECK(e) \
    do { if (!(e)) reach_error(); } while (0)
#endif
typedef unsigned int number;
enum colour { RED, GREEN = 5, BLUE };
static const number limit = SIZE;

int main(void) {
    CHECK(TWICE(limit) == 6);
    CHECK(BLUE == 6 && RED == 0);
    return 0;
}
