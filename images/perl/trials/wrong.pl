print "Good bye!\n";
