Process.sleep(:infinity)
