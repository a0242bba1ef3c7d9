BEGIN {
    getline < "/dev/stdin"
    while ((getline < "/dev/stdin") > 0) print $1 + $2
}
