@include "greet.awk"

BEGIN { print greeting() }
