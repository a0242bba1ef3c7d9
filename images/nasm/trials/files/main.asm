        global _start
        extern greet
_start: call greet
        mov rax, 60
        xor rdi, rdi
        syscall
