; Reads all of standard input, adds pairs, writes all at once.
        global _start

        section .bss
input:  resb 4000000
output: resb 2000000

        section .text
_start: xor r12, r12            ; bytes read
read:   xor rax, rax
        xor rdi, rdi
        lea rsi, [input + r12]
        mov rdx, 4000000 - 1
        sub rdx, r12
        syscall
        test rax, rax
        jle parsed
        add r12, rax
        jmp read
parsed: mov rsi, input
        mov rdi, output
        call number
        mov r13, rax            ; pairs left
pair:   test r13, r13
        jz write
        dec r13
        call number
        mov r14, rax
        call number
        add rax, r14
        call print
        jmp pair
write:  mov rdx, rdi
        sub rdx, output
        mov rsi, output
        mov rdi, 1
        mov rax, 1
        syscall
        mov rax, 60
        xor rdi, rdi
        syscall

; rsi: where to read on -> rax: the next number
number: xor rax, rax
        xor r8, r8
skip:   movzx rcx, byte [rsi]
        inc rsi
        cmp cl, '-'
        je minus
        sub rcx, '0'
        cmp rcx, 9
        ja skip
digit:  lea rax, [rax + rax * 4]
        lea rax, [rcx + rax * 2]
        movzx rcx, byte [rsi]
        inc rsi
        sub rcx, '0'
        cmp rcx, 9
        jbe digit
        test r8, r8
        jz done
        neg rax
done:   ret
minus:  mov r8, 1
        jmp skip

; rax: a number, rdi: where to write on
print:  test rax, rax
        jns plus
        mov byte [rdi], '-'
        inc rdi
        neg rax
plus:   mov rbx, 10
        xor r9, r9
next:   xor rdx, rdx
        div rbx
        add dl, '0'
        push rdx
        inc r9
        test rax, rax
        jnz next
out:    pop rdx
        mov [rdi], dl
        inc rdi
        dec r9
        jnz out
        mov byte [rdi], 10
        inc rdi
        ret
