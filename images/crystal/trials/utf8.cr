puts "ñandú: #{gets}"
