/* Text that doubles forty times. */
#define A(x) x x
#define B(x) A(A(A(A(A(A(A(A(x))))))))
#define C(x) B(B(B(B(B(x)))))

int main(void) {
    return 0 C(+ 1);
}
