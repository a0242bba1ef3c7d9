mapfile -t lines </dev/stdin
for line in "${lines[@]:1}"; do
  echo $((${line/ /+}))
done
