import { readFileSync } from "fs";

process.stdout.write("ñandú: " + readFileSync(0, "utf8"));
