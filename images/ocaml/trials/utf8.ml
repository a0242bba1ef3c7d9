let () = print_endline ("ñandú: " ^ read_line ())
