read -r n
while [ "$n" -gt 0 ]; do
  read -r a b
  echo $((a + b))
  n=$((n - 1))
done
