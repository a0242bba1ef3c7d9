printf("ñandú: %s\n", fgetl(stdin));
