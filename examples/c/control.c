//@ proved: 4
int steps;

int classify(int n) {
    switch (n) {
    case 0:
        return 10;
    case 1:
    case 2:
        steps++;
        break;
    case 3:
        steps += 5;
    default:
        steps += 100;
    }
    return steps;
}

int main() {
    assert(classify(0) == 10);
    assert(classify(2) == 1);
    assert(classify(3) == 106);
    int i = 0, odd = 0;
    do {
        i++;
        if (i % 2 == 0) continue;
        if (i > 7) break;
        odd += i;
    } while (i < 100);
    for (i = 0; ; i++) {
        if (i < 3) continue;
        break;
    }
    assert(odd == 16 && i == 3);
}
