// `&` and `|` evaluate both operands, whatever the first is.
int zero;

int main(void) {
    int both = (zero == 1) & (10 / zero == 1); //~ error[division-by-zero]
}
