print("ñandú: " + input())
