module Main where

import Greet

main :: IO ()
main = putStrLn greeting
