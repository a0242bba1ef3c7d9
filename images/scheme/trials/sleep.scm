(sleep 3600)
