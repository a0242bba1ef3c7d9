def numbers = System.in.newReader().readLines().collect { it as int }
println([1, 2, 3].collect { it * 2 }.sum() + numbers.size())
