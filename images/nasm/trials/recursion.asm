; Calls itself 100,000 deep; the input is known to be that number.
        global _start

        section .bss
input:  resb 100

        section .text
_start: xor rax, rax
        xor rdi, rdi
        mov rsi, input
        mov rdx, 100
        syscall
        mov r12, rax            ; its length
        xor rax, rax
        mov rsi, input
parse:  movzx rcx, byte [rsi]
        sub rcx, '0'
        cmp rcx, 9
        ja ready
        imul rax, 10
        add rax, rcx
        inc rsi
        jmp parse
ready:  mov r13, rax
        call depth
        cmp rax, r13
        jne end
        mov rax, 1              ; as deep as the input says: print it
        mov rdi, 1
        mov rsi, input
        mov rdx, r12
        syscall
end:    mov rax, 60
        xor rdi, rdi
        syscall

depth:  test rax, rax
        jz bottom
        push rax
        dec rax
        call depth
        pop rcx
        inc rax
bottom: ret
