//@ proved: 1
int fibonacci(int n) {
    if (n < 2) return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main() {
    int f = fibonacci(6);
    assert(f == 8);
}
