print "ñandú: ", scalar <STDIN>;
