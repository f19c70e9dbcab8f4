int helper(void) { return 1; } //~ error[syntax-error] "no function `main`"
