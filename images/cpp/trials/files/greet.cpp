#include "greet.hpp"

std::string greeting() {
    return "Hello, world!";
}
