// Shows that the extension starts the language server and speaks with it: the editor
// is a stand-in with as much of its interface as a session needs; the client is the
// library that VS Code extensions use, the server is the command. SCENARIO_COMMAND
// names it.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const test = require("node:test");
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-languageserver-protocol/node");
const Module = require("node:module");

const command = process.env.SCENARIO_COMMAND ?? "scenario";

test("the extension asks for the command of the settings, and says when it cannot start", async () => {
  const started = [], shown = [], registered = [], texts = [], bar = [];
  const settings = { command: "/nowhere/scenario", arguments: ["--var-file", "x"] };
  const vscode = {
    workspace: { getConfiguration: () => ({ get: (k) => settings[k] }), onDidChangeConfiguration: (f) => { vscode.changed = f; return {}; }, openTextDocument: async (d) => d },
    window: { showErrorMessage: (m) => shown.push(m), showTextDocument: async (d) => texts.push(d.content), setStatusBarMessage: (m) => bar.push(m) },
    ViewColumn: { Beside: -2 },
    commands: { registerCommand: (name) => { registered.push(name); return {}; } },
  };
  class LanguageClient {
    constructor(id, name, server, options) { Object.assign(this, { server, options, on: false }); started.push(this); }
    async start() { if (this.server.command.startsWith("/nowhere")) throw new Error("ENOENT"); this.on = true; }
    needsStop() { return this.on; }
    async stop() { this.on = false; }
  }
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest));
  const extension = require("../extension.js");
  Module._load = load;
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.match(shown[0], /cannot start \/nowhere\/scenario.*scenario\.command/);
  assert.deepStrictEqual(registered, ["scenario.restart"]);
  settings.command = "scenario";
  await vscode.changed({ affectsConfiguration: () => true });
  assert.deepStrictEqual(started.at(-1).server, { command: "scenario", args: ["lsp", "--var-file", "x"] });
  assert.ok(started.at(-1).on);
  const { middleware, initializationOptions } = started.at(-1).options;
  assert.ok(initializationOptions.showsText);
  await middleware.executeCommand("scenario.explain", ["uri", "s"], async () => "step a\n");
  assert.deepStrictEqual(texts, ["step a\n"]);
  const answers = [{ verdict: "failed" }, { verdict: "not run", note: "it needs a program" }, { verdict: "passed", stale: true }, null];
  for (const answer of answers) assert.strictEqual(await middleware.executeCommand("scenario.run", ["uri", "s"], async () => answer), answer);
  assert.deepStrictEqual(bar, ["scenario: s: failed", "scenario: s: not run (it needs a program)", "scenario: s: passed (the file has changed since)"]);
  await extension.deactivate();
  assert.ok(!started.at(-1).on);
});

test("a session", async () => {
  const server = spawn(command, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const c = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  const told = new Promise((resolve) => c.onNotification("textDocument/publishDiagnostics", (p) => p.diagnostics.length && resolve(p.diagnostics)));
  c.listen();
  const { capabilities } = await c.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  assert.ok(capabilities.completionProvider && capabilities.renameProvider && capabilities.documentFormattingProvider);
  await c.sendNotification("initialized", {});
  const uri = "file:///tmp/session.scenario.hcl";
  await c.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "scenario", version: 1, text: 'provider "openai" "p" { modle = "m" }\n' } });
  assert.match((await told)[0].message, /modle/);
  const list = await c.sendRequest("textDocument/completion", { textDocument: { uri }, position: { line: 1, character: 0 } });
  assert.ok((list.items ?? list).some((i) => i.label.startsWith("scenario")));
  const two = 'workflow "w" {\n  step "value" "v" { value = 1 }\n}\nscenario "s" {\n  run = workflow.w\n  expect "v" { output = 2 }\n}\n';
  const failed = new Promise((resolve) => c.onNotification("textDocument/publishDiagnostics", (p) => p.diagnostics.some((d) => d.source === "scenario test") && resolve(p.diagnostics)));
  await c.sendNotification("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text: two }] });
  const [run, explain] = await c.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  assert.deepStrictEqual([run.command.title, explain.command.title, run.range.start.line], ["run", "explain", 3]);
  assert.strictEqual((await c.sendRequest("workspace/executeCommand", run.command)).verdict, "failed");
  assert.strictEqual((await failed)[0].range.start.line, 5);
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  assert.deepStrictEqual((await c.sendRequest("textDocument/inlayHint", { textDocument: { uri }, range })).map((h) => h.label), ["failed"]);
  assert.match(await c.sendRequest("workspace/executeCommand", explain.command), /v/);
  await c.sendNotification("textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: [{ text: two + "#" }] });
  assert.deepStrictEqual(await c.sendRequest("textDocument/inlayHint", { textDocument: { uri }, range }), []);
  await c.sendRequest("shutdown");
  await c.sendNotification("exit");
  const code = await new Promise((resolve) => server.on("exit", resolve));
  assert.strictEqual(code, 0);
  c.dispose();
});
