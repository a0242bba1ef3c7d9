let () = Unix.sleep 3600
