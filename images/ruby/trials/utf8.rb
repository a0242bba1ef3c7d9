puts "ñandú: " + gets
