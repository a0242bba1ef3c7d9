read -r line
echo "ñandú: $line"
