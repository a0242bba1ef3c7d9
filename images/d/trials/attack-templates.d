template Tree(int n, int k) {
    static if (n == 0) enum Tree = k;
    else enum Tree = Tree!(n - 1, 2 * k) + Tree!(n - 1, 2 * k + 1);
}
enum size = Tree!(28, 1);

void main() {}
