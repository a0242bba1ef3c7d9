.shell sleep 3600
