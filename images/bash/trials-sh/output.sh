i=0
while [ $i -lt 163840 ]; do
  printf '%063d\n' $i
  i=$((i + 1))
done
