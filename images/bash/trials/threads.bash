add() {
  local i sum=0
  for ((i = $1; i <= n / 10; i += 4)); do ((sum += i)); done
  echo "$sum"
}

read -r n
sum=0
for part in $(for k in 1 2 3 4; do add $k & done; wait); do ((sum += part)); done
# A tenth by adding, which is slow here, the rest by Gauss.
((m = n / 10, sum += n * (n + 1) / 2 - m * (m + 1) / 2))
echo "$sum"
