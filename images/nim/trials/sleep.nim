import std/os

sleep 3600000
