// The operands of `|=` too.
int zero;

int main(void) {
    _Bool either = 1;
    either |= 10 / zero == 1; //~ error[division-by-zero]
}
