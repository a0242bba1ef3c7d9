<?php
$all = [];
for ($i = 0; $i < 4096; $i++) $all[] = range($i, $i + 65536);
echo "Hello, world!\n";
