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
  const started = [], shown = [], registered = [];
  const settings = { command: "/nowhere/scenario", arguments: ["--var-file", "x"] };
  const vscode = {
    workspace: { getConfiguration: () => ({ get: (k) => settings[k] }), onDidChangeConfiguration: (f) => { vscode.changed = f; return {}; } },
    window: { showErrorMessage: (m) => shown.push(m) },
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
  await c.sendRequest("shutdown");
  await c.sendNotification("exit");
  const code = await new Promise((resolve) => server.on("exit", resolve));
  assert.strictEqual(code, 0);
  c.dispose();
});
