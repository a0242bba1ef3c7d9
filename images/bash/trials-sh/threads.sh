add() {
  i=$1 sum=0
  while [ "$i" -le $((n / 10)) ]; do
    sum=$((sum + i)) i=$((i + 4))
  done
  echo "$sum"
}

read -r n
parts=$(for k in 1 2 3 4; do add $k & done; wait)
# A tenth by adding, which is slow here, the rest by Gauss.
m=$((n / 10))
sum=$((n * (n + 1) / 2 - m * (m + 1) / 2))
for part in $parts; do sum=$((sum + part)); done
echo "$sum"
