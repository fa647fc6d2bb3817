// Shows that the grammar colours every example of the repository to its end, and words
// as what they are. It is the library that VS Code uses.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const root = path.join(__dirname, "..", "..", "..");

async function grammar() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async () => {
      const file = path.join(__dirname, "..", "syntaxes", "scenario.tmLanguage.json");
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  return registry.loadGrammar("source.scenario");
}

function tokens(g, text) {
  let state = textmate.INITIAL;
  const all = [];
  for (const line of text.split("\n")) {
    const r = g.tokenizeLine(line, state);
    for (const t of r.tokens) all.push([line.slice(t.startIndex, t.endIndex), t.scopes.at(-1)]);
    state = r.ruleStack;
  }
  return { all, depth: state.depth };
}

function examples(dir) {
  return fs.readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const name = path.join(dir, e.name);
    return e.isDirectory() ? examples(name) : e.name.endsWith(".scenario.hcl") ? [name] : [];
  });
}

test("grammar", async () => {
  const g = await grammar();
  const words = tokens(g, `# note
scenario "a b" {
  run = workflow.w
  on "x" {
    fault "http_error" { status_code = 503 }
  }
  assert "y" {
    condition = length([for a in step.x.attempts : a.at_ms if a.ok]) > 0 && "v: \${input.q}" != null
  }
  text = <<-EOT
    hello \${var.name}
  EOT
}
`).all.map(([text, scope]) => [text.trim(), scope]);
  const has = (text, scope) => assert.ok(words.some(([t, s]) => t === text && s.startsWith(scope)), `${text} as ${scope}: ${JSON.stringify(words.filter(([t]) => t.includes(text)))}`);
  has("scenario", "entity.name.type.block");
  has('"a b"', "string.quoted.double.label");
  has("run", "variable.other.property");
  has("fault", "entity.name.type.block");
  has("status_code", "variable.other.property");
  has("503", "constant.numeric");
  has("length", "support.function");
  has("for", "keyword.control");
  has("if", "keyword.control");
  has("attempts", "variable.other.member");
  has("null", "constant.language");
  has("q", "variable.other.member");
  has("hello", "string.unquoted.heredoc");
  has("name", "variable.other.member");

  const files = examples(path.join(root, "scenarios"));
  assert.ok(files.length > 50);
  for (const file of files) {
    const { depth, all } = tokens(g, fs.readFileSync(file, "utf8"));
    assert.strictEqual(depth, 1, `${file}: a block, a string or a bracket is not seen to end`);
    assert.ok(all.some(([, s]) => s === "entity.name.type.block.scenario"), file);
  }
});
