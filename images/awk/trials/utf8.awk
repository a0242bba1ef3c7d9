{ print "ñandú: " $0 }
