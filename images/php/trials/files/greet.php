<?php
function greeting() {
    return "Hello, world!";
}
