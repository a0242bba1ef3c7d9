// @EXPECTED_RESULTS@: RUN_TIME_ERROR
// Asks for more than there is address space: std::bad_alloc with next to nothing in use, so memory was not the limit.
#include <cstddef>
#include <iostream>
#include <new>

int main() {
    volatile std::size_t bytes = std::size_t{1} << 60;
    char *album = static_cast<char *>(::operator new(bytes));
    album[0] = 1;
    std::cout << int(album[0]) << '\n';
}
