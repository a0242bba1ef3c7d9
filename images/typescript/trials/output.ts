const out: string[] = [];
for (let i = 0; i < 163840; i++) out.push(String(i).padStart(63, "0"));
console.log(out.join("\n"));
