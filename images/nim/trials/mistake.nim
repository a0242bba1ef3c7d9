let n: int = 1
let m: int = "text" # MISTAKE
echo n, m
