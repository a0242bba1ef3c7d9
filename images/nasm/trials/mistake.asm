        global _start
_start: mov rax, 60
        move rdi, rdi           ; MISTAKE
        syscall
