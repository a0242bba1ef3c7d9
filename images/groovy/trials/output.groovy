def out = new StringBuilder()
for (i in 0..<163840) out << String.format("%063d", i) << "\n"
print out
