//@ proved: 7
// Numbers have as many bits as on most machines; what does not fit is cut off, also for signed ones.
unsigned char small = 255;
unsigned int u = 0;
int big = 2147483647;

int main() {
    small++;
    assert(small == 0);
    u--;
    assert(u == 4294967295u);
    big = big + 1;
    assert(big < 0);
    assert(-7 / 2 == -3 && -7 % 2 == -1);
    int x = big;
    assert((x >> 31) == -1);
    assert((x & 1) == 0);
    signed char c = (signed char)200;
    assert(c == -56);
}
