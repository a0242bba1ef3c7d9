#include </dev/random>

int main(void) {}
