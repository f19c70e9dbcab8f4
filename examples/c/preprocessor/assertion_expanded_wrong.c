// What some preprocessors make of `assert`, where it fails.
int x = 1;

int main(void) {
    x = x + 1;
    //~ error[assertion-failed]
    ((void) sizeof ((x == 1) ? 1 : 0), __extension__ ({ if (x == 1) ; else __assert_fail ("x == 1", "f.c", 7, __extension__ __PRETTY_FUNCTION__); }));
}
