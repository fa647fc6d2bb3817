#!/usr/bin/env node
// Runs the command of the package that npm has installed for this system.
"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@scenario-lang/cli-${process.platform}-${process.arch}`;
let file;
try {
  file = require.resolve(`${name}/bin/scenario${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`Error: the package ${name} is not installed\nhint: install without --omit=optional; if there is no such package, scenario is not built for this system`);
  process.exit(6);
}

const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (e) => {
  console.error(`Error: cannot start ${file}: ${e.message}`);
  process.exit(6);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
