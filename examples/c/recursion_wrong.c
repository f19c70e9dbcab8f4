int depth(int n) {
    if (n == 0) return 0;
    return 1 + depth(n - 1);
}

int main() {
    assert(depth(4) == 5); //~ error[assertion-failed]
}
