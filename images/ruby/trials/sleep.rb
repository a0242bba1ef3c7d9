sleep
