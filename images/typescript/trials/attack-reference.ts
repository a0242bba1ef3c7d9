/// <reference path="/proc/1/environ" />
/// <reference path="/agent" />
console.log("Hello, world!");
