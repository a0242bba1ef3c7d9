#include <string>

std::string greeting();
