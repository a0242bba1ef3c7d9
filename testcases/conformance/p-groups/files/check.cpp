// Compares one number. By testlib's exit codes: 0 accepts, 1 rejects, 3 is our fault.
#include <fstream>

int main(int argc, char **argv) {
    long long got, want;
    if (argc < 4 || !(std::ifstream(argv[3]) >> want)) return 3;
    return std::ifstream(argv[2]) >> got ? got != want : 2;
}
