        global _start
_start: mov rax, [0]
