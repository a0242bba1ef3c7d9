let greet = function Some () -> print_endline "Hello, world!"
let () = greet (Some ())
