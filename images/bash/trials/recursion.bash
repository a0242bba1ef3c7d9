depth() {
  if (($1 == 0)); then
    result=0
    return
  fi
  depth $(($1 - 1))
  ((result += 1))
}

read -r n
depth "$n"
echo "$result"
