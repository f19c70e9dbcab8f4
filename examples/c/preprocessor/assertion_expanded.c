//@ proved: 1
// What some preprocessors make of `assert`: a choice inside of an expression.
int x = 1;

int main(void) {
    x = x + 1;
    ((void) sizeof ((x == 2) ? 1 : 0), __extension__ ({ if (x == 2) ; else __assert_fail ("x == 2", "f.c", 7, __extension__ __PRETTY_FUNCTION__); }));
}
