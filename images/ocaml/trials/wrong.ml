let () = print_endline "Good bye!"
