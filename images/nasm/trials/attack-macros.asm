%macro  double 1
        %rep 1000000
        double %1
        %endrep
%endmacro
        global _start
_start: double 1
