int main() { return 0; } //~ warning[nothing-to-verify]
