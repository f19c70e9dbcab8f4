//@ proved: 2
#include <pthread.h>

int flag1, flag2, turn, inside;
extern void abort(void);
void reach_error() { }

void *one(void *arg) {
    flag1 = 1;
    turn = 2;
    while (flag2 == 1 && turn == 2) { }
    inside = inside + 1;
    if (inside > 1) reach_error();
    inside = inside - 1;
    flag1 = 0;
    return 0;
}

void *two(void *arg) {
    flag2 = 1;
    turn = 1;
    while (flag1 == 1 && turn == 1) { }
    inside = inside + 1;
    if (inside > 1) { ERROR: { reach_error(); abort(); } }
    inside = inside - 1;
    flag2 = 0;
    return 0;
}

int main() {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
