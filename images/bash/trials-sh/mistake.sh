n=1
if [ $n = 1 ]; then
  echo (n) # MISTAKE
fi
