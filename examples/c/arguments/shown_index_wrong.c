// An element that is only shown is read all the same.
#include <stdio.h>

int a[2];
int i;

int main(void) {
    i = 2;
    printf("%d\n", a[i]); //~ error[index-out-of-range]
}
