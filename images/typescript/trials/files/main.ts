import { greeting } from "./greet";

console.log(greeting());
