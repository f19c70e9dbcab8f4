#include <pthread.h>

int flag1, flag2, turn, inside;

void *one(void *arg) {
    turn = 2;
    flag1 = 1;
    while (flag2 == 1 && turn == 2) { }
    inside = 1;
    if (inside == 2) goto ERROR; //~ error[assertion-failed]
    inside = 0;
    flag1 = 0;
    return 0;
ERROR:
    reach_error();
    return 0;
}

void *two(void *arg) {
    turn = 1;
    flag2 = 1;
    while (flag1 == 1 && turn == 1) { }
    inside = 2;
    flag2 = 0;
    return 0;
}

int main() {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
}
