/* Keeps the character in an unsigned char, where EOF is 255 and the end never comes. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    unsigned char c;
    while ((c = getchar()) != EOF) {
        if (isprint(c) || c == '\n') putchar(islower(c) ? toupper(c) : tolower(c));
    }
    return 0;
}
