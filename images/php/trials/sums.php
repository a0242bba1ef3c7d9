<?php
$n = (int) fgets(STDIN);
for ($i = 0; $i < $n; $i++) {
    [$a, $b] = explode(" ", fgets(STDIN));
    echo (int) $a + (int) $b, "\n";
}
