print("ñandú: " .. io.read())
