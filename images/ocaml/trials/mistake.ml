let () =
  let n : int = "text" in (* MISTAKE *)
  print_int n
