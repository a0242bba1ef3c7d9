object Main extends App {
  val out = new StringBuilder
  for (i <- 0 until 163840) out.append("%063d".format(i)).append('\n')
  print(out)
}
