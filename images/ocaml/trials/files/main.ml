let () = print_endline (Greet.greeting ())
