(use-modules (ice-9 rdelim))

(display (string-append "ñandú: " (read-line) "\n"))
