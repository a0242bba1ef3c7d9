let () =
  let input = Scanf.Scanning.open_in "/dev/stdin" in
  let n = Scanf.bscanf input " %d" (fun x -> x) in
  for _ = 1 to n do
    Scanf.bscanf input " %d %d" (fun a b -> Printf.printf "%d\n" (a + b))
  done
