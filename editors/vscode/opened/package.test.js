// Opens the package as an installer does: it holds what the extension needs and nothing
// else, and its bundle loads with no other module than the editor's own.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const test = require("node:test");
const yauzl = require("yauzl");

const read = (file) =>
  new Promise((resolve, reject) => {
    const held = new Map();
    yauzl.open(file, { lazyEntries: true }, (err, zip) => {
      if (err) return reject(err);
      zip.on("error", reject).on("end", () => resolve(held));
      zip.on("entry", (entry) =>
        zip.openReadStream(entry, async (err, stream) => {
          if (err) return reject(err);
          const parts = [];
          for await (const part of stream) parts.push(part);
          held.set(entry.fileName, Buffer.concat(parts).toString());
          zip.readEntry();
        }),
      );
      zip.readEntry();
    });
  });

test("package", async () => {
  const held = await read(process.env.SCENARIO_VSIX);
  const inside = (name) => "extension/" + name.replace(/^\.\//, "");
  const wanted = ["LICENSE.txt", "dist/extension.js", "language-configuration.json", "package.json", "readme.md", "syntaxes/scenario.tmLanguage.json"].map(inside);
  assert.deepStrictEqual([...held.keys()].filter((name) => name.startsWith("extension/")).sort(), wanted.sort());

  const manifest = JSON.parse(held.get("extension/package.json"));
  const { languages, grammars } = manifest.contributes;
  for (const named of [manifest.main, languages[0].configuration, grammars[0].path]) assert.ok(held.has(inside(named)), named);
  JSON.parse(held.get(inside(languages[0].configuration)));

  // Anything of the editor, as a class that can be extended and called.
  const anything = new Proxy(class {}, { get: (of, name) => (name === "prototype" ? of.prototype : name === Symbol.toPrimitive ? () => "" : anything) });
  const asked = [];
  const bundle = new Module("extension.js");
  const own = bundle.require.bind(bundle);
  bundle.require = (name) => {
    asked.push(name);
    return name === "vscode" ? { ...Object.fromEntries(["version"].map((k) => [k, "1.82.0"])), __proto__: anything } : own(name);
  };
  bundle.filename = __filename;
  bundle.paths = []; // what lies beside the test is in no package
  const wrapped = new Function("module", "exports", "require", held.get(inside(manifest.main)));
  wrapped(bundle, bundle.exports, bundle.require);
  assert.strictEqual(typeof bundle.exports.activate, "function");
  assert.strictEqual(typeof bundle.exports.deactivate, "function");
  assert.ok(asked.includes("vscode"));
  for (const name of asked) assert.ok(name === "vscode" || Module.isBuiltin(name), name);
});
