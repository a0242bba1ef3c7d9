BEGIN { print "Good bye!" }
