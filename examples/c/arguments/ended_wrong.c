// The program ends, but only after its last argument was computed.
#include <assert.h>
#include <stdlib.h>

int status(void) {
    assert(0); //~ error[assertion-failed]
    return 0;
}

int main(void) {
    exit(status());
}
