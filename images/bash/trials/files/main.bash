. "${BASH_SOURCE[0]%/*}/greet.bash"

greeting
