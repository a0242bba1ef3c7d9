let () =
  let all = Array.init 4096 (fun i -> Array.make (1 lsl 17) i) in
  Printf.printf "Hello, world! %d\n" (Array.length all)
