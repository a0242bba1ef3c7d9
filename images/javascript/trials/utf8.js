const line = require("fs").readFileSync(0, "utf8");
process.stdout.write("ñandú: " + line);
