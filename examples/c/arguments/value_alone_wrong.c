// A value that nobody uses is computed.
int parts;

int main(void) {
    1 / parts; //~ error[division-by-zero]
}
