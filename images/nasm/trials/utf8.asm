        global _start

        section .data
text:   db "ñandú: "
length: equ $ - text

        section .bss
input:  resb 1000

        section .text
_start: mov rax, 1
        mov rdi, 1
        mov rsi, text
        mov rdx, length
        syscall
        xor rax, rax
        xor rdi, rdi
        mov rsi, input
        mov rdx, 1000
        syscall
        mov rdx, rax
        mov rax, 1
        mov rdi, 1
        mov rsi, input
        syscall
        mov rax, 60
        xor rdi, rdi
        syscall
