        global _start

        section .text
_start: mov rax, 1
        mov rdi, 1
        mov rsi, text
        mov rdx, length
        syscall
        mov rax, 60
        xor rdi, rdi
        syscall

        section .rodata
text:   db "Hello, world!", 10
length: equ $ - text
