int big[1 << 30] = {1};

int main() {
    return big[12345];
}
