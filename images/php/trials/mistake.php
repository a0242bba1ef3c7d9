<?php
$n = 1;
if ($n == ) { // MISTAKE
    echo $n;
}
