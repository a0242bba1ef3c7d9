os.execute("sleep 3600")
