        global greet

        section .rodata
text:   db "Hello, world!", 10

        section .text
greet:  mov rax, 1
        mov rdi, 1
        mov rsi, text
        mov rdx, 14
        syscall
        ret
