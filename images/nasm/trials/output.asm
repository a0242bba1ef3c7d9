; 163,840 lines of 63 digits, made in place.
        global _start

        section .data
line:   times 63 db '0'
        db 10

        section .bss
all:    resb 163840 * 64

        section .text
_start: mov r12, 163840
        mov rdi, all
        cld
copy:   mov rsi, line
        mov rcx, 64
        rep movsb
        mov rbx, line + 62      ; add one to the digits
carry:  inc byte [rbx]
        cmp byte [rbx], '9'
        jbe added
        mov byte [rbx], '0'
        dec rbx
        jmp carry
added:  dec r12
        jnz copy
        mov r12, all
        mov r13, 163840 * 64
write:  mov rax, 1
        mov rdi, 1
        mov rsi, r12
        mov rdx, r13
        syscall
        test rax, rax
        jle end
        add r12, rax
        sub r13, rax
        jnz write
end:    mov rax, 60
        xor rdi, rdi
        syscall
