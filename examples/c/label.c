//@ proved: 1
// A label belongs to the statement behind it, also if that is all that an `if` has.
#define check(e) if (!(e)) ERROR: reach_error()
int x = 1;

int main(int argc, char **argv) {
    x = argc + 1;
    check(x == 2);
    return 0;
}
