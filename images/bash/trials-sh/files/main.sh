. "${0%/*}/greet.sh"

greeting
