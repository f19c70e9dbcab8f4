// The division happens before anything is shown.
#include <stdio.h>

int parts;

int main(void) {
    printf("%d\n", 100 / parts); //~ error[division-by-zero]
}
