"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// start runs the command that the settings name. A command is what a person sets for
// their machine: a folder that they open cannot.
async function start() {
  const settings = vscode.workspace.getConfiguration("scenario");
  const command = settings.get("command");
  client = new LanguageClient(
    "scenario",
    "scenario",
    { command, args: ["lsp", ...settings.get("arguments")] },
    { documentSelector: [{ language: "scenario" }], initializationOptions: { showsText: true }, middleware: { executeCommand } },
  );
  try {
    await client.start();
  } catch (e) {
    const what = `scenario: cannot start ${command}: ${e.message}. Install the command, or name it in the setting scenario.command.`;
    vscode.window.showErrorMessage(what);
  }
}

// executeCommand shows what the server answers to the lenses "run" and "explain". The
// verdict itself stands in the file, and what did not hold under Problems.
async function executeCommand(command, args, next) {
  const answer = await next(command, args);
  if (command === "scenario.explain" && typeof answer === "string") {
    const document = await vscode.workspace.openTextDocument({ content: answer, language: "plaintext" });
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside });
  }
  if (command === "scenario.run" && answer) {
    const note = answer.stale ? "the file has changed since" : answer.note;
    vscode.window.setStatusBarMessage(`scenario: ${args[1]}: ${answer.verdict}${note ? ` (${note})` : ""}`, 10000);
  }
  return answer;
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.needsStop()) await running.stop();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("scenario.restart", async () => { await stop(); await start(); }),
    vscode.workspace.onDidChangeConfiguration(async (e) => {
      if (e.affectsConfiguration("scenario")) { await stop(); await start(); }
    }),
  );
  await start();
};

exports.deactivate = stop;
