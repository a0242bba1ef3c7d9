IO.write("ñandú: " <> IO.gets(""))
