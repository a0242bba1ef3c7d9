        global _start
_start: mov rax, 34             ; pause
        syscall
        jmp _start
