sleep 3600;
