// A run that goes wrong before is real all the same.
double d;

int main() {
    int x = 1;
    assert(x == 2); //~ error[assertion-failed]
    d = 1;
}
