let () =
  let n = Scanf.scanf " %d" (fun x -> x) in
  for _ = 1 to n do
    Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\n" (a + b))
  done
