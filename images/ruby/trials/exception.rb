raise ArgumentError, "raised on purpose"
