; Asks for 4 GiB by mmap and touches all of it.
        global _start
_start: mov rax, 9
        xor rdi, rdi
        mov rsi, 1 << 32
        mov rdx, 3
        mov r10, 0x4022         ; private, anonymous, no reserve
        mov r8, -1
        xor r9, r9
        syscall
touch:  mov byte [rax], 1
        add rax, 4096
        jmp touch
