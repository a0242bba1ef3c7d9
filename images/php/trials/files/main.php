<?php
require __DIR__ . "/greet.php";
echo greeting(), "\n";
