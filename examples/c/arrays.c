//@ proved: 11
int a[3] = {1, 2};
int grid[2][2];

int main() {
    int i = 1;
    a[2] = a[0] + a[i];
    grid[1][0] = a[2];
    assert(grid[1][0] == 3 && grid[0][0] == 0);
    int own[2] = {4, 5};
    assert(own[1] == 5);
}
