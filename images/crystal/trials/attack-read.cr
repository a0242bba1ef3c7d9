{{ read_file("/judge/agent") }}
