        global _start
_start: jmp _start
