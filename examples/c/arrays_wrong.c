int a[3];

int main() {
    for (int i = 0; i <= 3; i++)
        a[i] = i; //~ error[index-out-of-range]
}
