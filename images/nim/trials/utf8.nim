echo "ñandú: ", stdin.readLine
