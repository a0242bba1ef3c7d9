<?php
$lines = file("php://stdin");
foreach (array_slice($lines, 1) as $line) {
    echo array_sum(array_map("intval", explode(" ", $line))), "\n";
}
