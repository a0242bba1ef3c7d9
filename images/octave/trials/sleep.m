pause(3600);
