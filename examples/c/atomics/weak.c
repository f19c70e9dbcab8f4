// With weak orders, threads may see writes in other orders than they happen.
#include <assert.h>
#include <stdatomic.h>

atomic_int n;

int main(void) {
    atomic_store_explicit(&n, 1, memory_order_relaxed); //~ unknown[unsupported] "weak order"
    assert(n == 1);
}
