let () =
  let n = read_int () in
  let sum k =
    let s = ref 0 and i = ref k in
    while !i <= n do
      s := !s + !i;
      i := !i + 4
    done;
    !s
  in
  let domains = List.map (fun k -> Domain.spawn (fun () -> sum k)) [ 1; 2; 3; 4 ] in
  Printf.printf "%d\n" (List.fold_left (fun acc d -> acc + Domain.join d) 0 domains)
