#define A x x x x x x x x x x x x x x x x
#define B A; A; A; A; A; A; A; A; A; A; A; A; A; A; A; A;
#define C B B B B B B B B B B B B B B B B
#define D C C C C C C C C C C C C C C C C
#define E D D D D D D D D D D D D D D D D

int main(void) {
    E
}
