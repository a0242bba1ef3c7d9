print("ñandú: " + readLine()!)
