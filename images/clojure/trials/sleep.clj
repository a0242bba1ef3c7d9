(Thread/sleep 3600000)
