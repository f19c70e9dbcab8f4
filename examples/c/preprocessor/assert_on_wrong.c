// Included again, the header defines them again.
#define NDEBUG
#include <assert.h>
#undef NDEBUG
#include <assert.h>

int x;

int main(void) {
    assert(x == 5); //~ error[assertion-failed]
}
