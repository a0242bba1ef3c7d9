Sys.sleep(3600)
