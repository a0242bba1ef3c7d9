let () =
  for i = 0 to 163839 do
    Printf.printf "%063d\n" i
  done
