//@ proved: 1
// So does what happens while a program computes how long to sleep.
#include <assert.h>
#include <unistd.h>

int calls;

int seconds(void) {
    calls = calls + 1;
    return 0;
}

int main(void) {
    sleep(seconds());
    assert(calls == 1);
}
