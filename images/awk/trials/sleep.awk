BEGIN { system("sleep 3600") }
