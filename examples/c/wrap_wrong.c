int main() {
    unsigned short s = 65535;
    s += 2;
    assert(s > 65535); //~ error[assertion-failed] "s: 65535 -> 1"
}
