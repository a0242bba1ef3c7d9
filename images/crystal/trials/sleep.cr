sleep 1.hour
