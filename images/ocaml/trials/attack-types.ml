(* A type of exponential size. *)
let () =
  let p x = fun z -> z x x in
  let a x = p (p x) in
  let b x = a (a x) in
  let c x = b (b x) in
  let d x = c (c x) in
  let e x = d (d x) in
  ignore (e (fun x -> x) + 1)
