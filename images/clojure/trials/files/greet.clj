(ns greet)

(defn greeting [] "Hello, world!")
