BEGIN { print "Hello, world!" }
