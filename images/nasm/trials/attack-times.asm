; NASM counts in 64 bits and writes what 32 of them hold: a program of any size.
        global _start
_start: times 1 << 33 nop
