#define check(e) if (!(e)) ERROR: reach_error()
int x = 1;

int main(int argc, char **argv) {
    x = argc;
    check(x == 2); //~ error[assertion-failed]
    return 0;
}
