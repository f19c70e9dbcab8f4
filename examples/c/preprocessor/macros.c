//@ proved: 4
// Arguments are expanded first, and what comes of a macro is read together with what follows.
#include <assert.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define NAME(kind, number) kind##number
#define ALL(first, ...) ((first) + product(__VA_ARGS__))

int product(int a, int b) {
    return a * b;
}

int add(int x) {
    return x;
}
#define add(x) ((x) + 1)
#define PLUS add

int main(void) {
    int x1 = 4;
    int y = MAX(1, MAX(3, 2));
    assert(y == 3);
    assert(NAME(x, 1) == 4);
    int z = ALL(1, 2, 3);
    assert(z == 7);
    int next = PLUS(y);
    assert(next == 4);
}
