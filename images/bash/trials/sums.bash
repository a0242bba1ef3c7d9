read -r n
for ((i = 0; i < n; i++)); do
  read -r a b
  echo $((a + b))
done
