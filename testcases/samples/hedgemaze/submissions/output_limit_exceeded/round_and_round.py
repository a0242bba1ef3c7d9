# Describes a walk in circles: 16 MiB in one line.
print("NESW" * (4 << 20))
