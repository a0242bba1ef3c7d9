module Greet where

greeting :: String
greeting = "Hello, world!"
