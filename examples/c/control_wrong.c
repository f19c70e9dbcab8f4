int main() {
    int i = 10, sum = 0;
    while (i-- > 0)
        sum += i > 5 ? 1 : 0;
    assert(sum == 5); //~ error[assertion-failed] "sum"
}
