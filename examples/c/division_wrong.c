int zero;

int main() {
    int x = 10 / zero; //~ error[division-by-zero]
}
