(require '[greet])

(println (greet/greeting))
