// The playground: an editor, two workers of WebAssembly, and what a run came to. All
// files are fetched when the page loads; after that nothing is.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const source = $("source"), shown = $("shown"), choices = $("choices"), status = $("status");
  const examples = window.SCENARIO_EXAMPLES;
  const runLimitMS = 20000; // a run that takes longer is stopped
  const sharedMax = 256 * 1024; // characters of a shared file
  let name = examples[0].name;

  // ---- the engine -------------------------------------------------------------

  const engine = { module: null, script: "" };

  async function load() {
    const fetched = async (path) => {
      const r = await fetch(path);
      if (!r.ok) throw new Error(`${path}: ${r.status} ${r.statusText}`);
      return r;
    };
    const library = async () => (await Promise.all(["vendor/zstddec.mjs", "returns.js"].map(async (path) => (await fetched(path)).text()))).join("\n");
    const [packed, glue, code] = await Promise.all([
      fetched("scenario.wasm.zst").then((r) => r.arrayBuffer()),
      fetched("wasm_exec.js").then((r) => r.text()),
      fetched("worker.js").then((r) => r.text()),
    ]);
    engine.module = await unpack(new Uint8Array(packed), await library());
    engine.script = URL.createObjectURL(new Blob([glue, "\n", code], { type: "text/javascript" }));
  }

  // unpack compiles the module in a worker of its own, so that the page stays usable.
  function unpack(packed, library) {
    const code = `${library}
      self.onmessage = async ({ data }) => {
        try {
          const decoder = new ZSTDDecoder();
          await decoder.init();
          self.postMessage({ module: await WebAssembly.compile(withReturns(decoder.decode(data))) });
        }
        catch (e) { self.postMessage({ error: String(e) }); }
      };`;
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    return new Promise((resolve, reject) => {
      const worker = new Worker(url, { type: "module" });
      worker.onerror = (e) => reject(new Error(e.message));
      worker.onmessage = ({ data }) => {
        worker.terminate();
        URL.revokeObjectURL(url);
        data.module ? resolve(data.module) : reject(new Error(data.error));
      };
      worker.postMessage(packed, [packed.buffer]);
    });
  }

  // start is a worker that is ready to be asked.
  function start(language, onmessage, onfail) {
    const worker = new Worker(engine.script);
    const ready = new Promise((resolve) => {
      worker.onmessage = ({ data }) => (data.kind === "ready" ? resolve(worker) : onmessage(data));
    });
    worker.onerror = (e) => onfail(e.message);
    worker.postMessage({ kind: "start", module: engine.module, language });
    return { worker, ready };
  }

  // ---- running ----------------------------------------------------------------

  const runs = { now: null, id: 0, timer: 0, busy: false };

  function fresh() {
    runs.now = start(false, answered, (why) => stopped(`The engine stopped: ${why}`));
  }

  async function run() {
    if (!engine.module || runs.busy) return;
    runs.busy = true;
    const id = ++runs.id;
    buttons();
    say("Running…", "");
    runs.timer = setTimeout(() => stopped(`Stopped after ${runLimitMS / 1000} seconds. Use fewer attempts, iterations or instances.`), runLimitMS);
    const worker = await runs.now.ready;
    if (id === runs.id && runs.busy) worker.postMessage({ kind: "run", id, files: { [name]: source.value }, name });
  }

  function answered({ id, answer, took }) {
    answer.took = took;
    if (id !== runs.id || !runs.busy) return;
    runs.busy = false;
    clearTimeout(runs.timer);
    buttons();
    const count = (v) => answer.verdicts.filter((x) => x.verdict === v).length;
    if (answer.verdicts.length === 0) say("The file cannot be run.", "bad");
    else {
      const parts = [["pass", "passed"], ["fail", "failed"], ["error", "errored"], ["skip", "skipped"]].filter(([v]) => count(v)).map(([v, word]) => `${count(v)} ${word}`);
      say(`${answer.verdicts.length === 1 ? "1 scenario" : `${answer.verdicts.length} scenarios`}: ${parts.join(", ")}.`, answer.code === 0 ? "good" : "bad");
    }
    show(answer);
  }

  function show(answer) {
    $("text").textContent = answer.text + (answer.text && answer.messages ? "\n" : "") + answer.messages;
    $("verbose").textContent = answer.verbose || answer.messages;
    $("html").srcdoc = answer.html;
    const picture = $("svg");
    if (picture.src) URL.revokeObjectURL(picture.src);
    picture.hidden = !answer.svg;
    $("no-svg").hidden = !!answer.svg;
    if (answer.svg) picture.src = URL.createObjectURL(new Blob([answer.svg], { type: "image/svg+xml" }));
    else picture.removeAttribute("src");
    document.documentElement.dataset.answer = String(runs.id);
    window.scenarioAnswer = answer;
  }

  // stopped ends the worker whatever it does, and has another one ready.
  function stopped(why) {
    if (!runs.busy) return;
    runs.busy = false;
    clearTimeout(runs.timer);
    runs.now.worker.terminate();
    fresh();
    buttons();
    say(why, "bad");
  }

  function say(text, how) {
    status.textContent = text;
    status.className = how;
  }

  function buttons() {
    $("run").disabled = !engine.module || runs.busy;
    $("stop").disabled = !runs.busy;
    $("format").disabled = !language.ready;
  }

  // ---- the language server ----------------------------------------------------

  const language = { now: null, ready: false, id: 0, version: 0, waiting: new Map(), legend: [], problems: [] };
  const uri = () => "file:///" + name;

  function tell(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const length = new TextEncoder().encode(body).length;
    language.now.worker.postMessage({ kind: "message", text: `Content-Length: ${length}\r\n\r\n${body}` });
  }

  function request(method, params) {
    const id = ++language.id;
    tell({ id, method, params });
    return new Promise((resolve) => language.waiting.set(id, resolve));
  }

  async function serve() {
    language.now = start(true, heard, () => { language.ready = false; buttons(); });
    await language.now.ready;
    const hello = await request("initialize", { processId: null, rootUri: null, capabilities: { textDocument: { completion: { completionItem: {} } } } });
    language.legend = hello?.capabilities?.semanticTokensProvider?.legend?.tokenTypes ?? [];
    tell({ method: "initialized", params: {} });
    open();
    language.ready = true;
    buttons();
    colour();
  }

  function heard({ text }) {
    const message = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
    if (message.method === "textDocument/publishDiagnostics") {
      if (message.params.uri === uri()) problems(message.params.diagnostics);
      return;
    }
    if (message.method && message.id !== undefined) return tell({ id: message.id, result: null });
    language.waiting.get(message.id)?.(message.result);
    language.waiting.delete(message.id);
  }

  function open() {
    tell({ method: "textDocument/didOpen", params: { textDocument: { uri: uri(), languageId: "scenario", version: ++language.version, text: source.value } } });
  }

  function problems(list) {
    language.problems = list;
    const ol = $("problems");
    ol.replaceChildren(...list.map((d) => {
      const li = document.createElement("li"), button = document.createElement("button"), b = document.createElement("b");
      li.className = d.severity === 1 ? "error" : "warning";
      b.textContent = `${d.severity === 1 ? "Error" : "Warning"}, line ${d.range.start.line + 1}: `;
      button.type = "button";
      button.append(b, d.message);
      button.onclick = () => {
        const at = offset(d.range.start);
        source.focus();
        source.setSelectionRange(at, at);
        source.scrollTop = Math.max(0, (d.range.start.line - 4) * 21);
      };
      li.append(button);
      return li;
    }));
    paint();
  }

  // ---- the editor ---------------------------------------------------------------

  const place = (at) => {
    const before = source.value.slice(0, at);
    const line = before.split("\n").length - 1;
    return { line, character: at - (before.lastIndexOf("\n") + 1) };
  };

  function offset({ line, character }) {
    let at = 0;
    for (let i = 0; i < line; i++) {
      const end = source.value.indexOf("\n", at);
      if (end < 0) return source.value.length;
      at = end + 1;
    }
    return Math.min(at + character, source.value.length);
  }

  let tokens = []; // [start, end, class] of the text that colours says
  let coloured = "", changing = 0;

  async function colour() {
    if (!language.ready) return;
    const text = source.value, result = await request("textDocument/semanticTokens/full", { textDocument: { uri: uri() } });
    if (text !== source.value || !result) return;
    const starts = [0];
    for (let i = 0; (i = text.indexOf("\n", i) + 1) > 0;) starts.push(i);
    const list = [];
    let line = 0, column = 0;
    for (let i = 0; i < result.data.length; i += 5) {
      const [lines, columns, length, type] = result.data.slice(i, i + 4);
      column = lines ? columns : column + columns;
      line += lines;
      const at = starts[line] + column;
      list.push([at, at + length, "t-" + language.legend[type]]);
    }
    tokens = list;
    coloured = text;
    paint();
  }

  // paint writes the text again, with its colours and what is wrong with it.
  function paint() {
    const text = source.value, marks = [];
    if (text === coloured) marks.push(...tokens);
    const bad = language.problems.map((d) => {
      const from = offset(d.range.start);
      return [from, Math.max(offset(d.range.end), from + 1), "squiggle" + (d.severity === 1 ? "" : " warn")];
    });
    const cuts = new Set([0, text.length]);
    for (const [from, to] of [...marks, ...bad]) cuts.add(Math.min(from, text.length)).add(Math.min(to, text.length));
    const points = [...cuts].sort((a, b) => a - b), pieces = document.createDocumentFragment();
    let next = 0;
    for (let i = 0; i + 1 < points.length; i++) {
      const [from, to] = [points[i], points[i + 1]];
      while (next < marks.length && marks[next][1] <= from) next++;
      const classes = [];
      if (next < marks.length && marks[next][0] <= from) classes.push(marks[next][2]);
      for (const [a, b, c] of bad) if (a <= from && to <= b) classes.push(c);
      const piece = text.slice(from, to);
      if (classes.length === 0) pieces.append(piece);
      else {
        const span = document.createElement("span");
        span.className = classes.join(" ");
        span.textContent = piece;
        pieces.append(span);
      }
    }
    pieces.append("\n");
    shown.replaceChildren(pieces);
    follow();
  }

  function follow() {
    shown.scrollTop = source.scrollTop;
    shown.scrollLeft = source.scrollLeft;
  }

  function changed() {
    language.problems = [];
    paint();
    hide();
    clearTimeout(changing);
    if (!language.ready) return;
    tell({ method: "textDocument/didChange", params: { textDocument: { uri: uri(), version: ++language.version }, contentChanges: [{ text: source.value }] } });
    changing = setTimeout(colour, 120);
  }

  // insert replaces a part of the text as typing does, so that it can be undone.
  function insert(from, to, text) {
    source.focus();
    source.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) {
      source.setRangeText(text, from, to, "end");
      changed();
    }
  }

  // ---- completion ---------------------------------------------------------------

  let offered = [], chosen = 0;

  async function complete() {
    if (!language.ready) return;
    const at = source.selectionStart, text = source.value;
    const result = await request("textDocument/completion", { textDocument: { uri: uri() }, position: place(at) });
    if (text !== source.value || at !== source.selectionStart) return;
    const items = Array.isArray(result) ? result : result?.items ?? [];
    const word = /[\w.]*$/.exec(text.slice(0, at))[0];
    const typed = word.slice(word.lastIndexOf(".") + 1);
    offered = items.filter((i) => (i.filterText ?? i.label).replaceAll('"', "").startsWith(typed)).slice(0, 100);
    if (offered.length === 0) return hide();
    chosen = 0;
    choices.replaceChildren(...offered.map((item, i) => {
      const li = document.createElement("li"), small = document.createElement("small");
      li.id = `choice-${i}`;
      li.role = "option";
      small.textContent = item.detail ?? "";
      li.append(item.label, small);
      li.onmousedown = (e) => { e.preventDefault(); take(i); };
      return li;
    }));
    const { line, character } = place(at - typed.length);
    choices.style.left = `${Math.max(4, Math.min(16 + character * 8.43 - source.scrollLeft, source.clientWidth - 240))}px`;
    choices.style.top = `${13 + (line + 1) * 21 - source.scrollTop}px`;
    choices.hidden = false;
    choose(0);
  }

  function choose(i) {
    chosen = (i + offered.length) % offered.length;
    [...choices.children].forEach((li, k) => li.setAttribute("aria-selected", String(k === chosen)));
    choices.children[chosen].scrollIntoView({ block: "nearest" });
    source.setAttribute("aria-activedescendant", `choice-${chosen}`);
  }

  function hide() {
    choices.hidden = true;
    source.removeAttribute("aria-activedescendant");
  }

  function take(i) {
    const item = offered[i], at = source.selectionStart;
    hide();
    if (item.textEdit) {
      const range = item.textEdit.range ?? item.textEdit.insert;
      return insert(offset(range.start), Math.max(offset(range.end), at), plain(item.textEdit.newText, item));
    }
    const typed = /\w*$/.exec(source.value.slice(0, at))[0];
    insert(at - typed.length, at, plain(item.insertText ?? item.label, item));
  }

  // plain is a snippet without its placeholders.
  const plain = (text, item) => (item.insertTextFormat === 2 ? text.replace(/\$\{\d+:([^}]*)\}/g, "$1").replace(/\$\d+|\$\{\d+\}/g, "") : text);

  // ---- keys ---------------------------------------------------------------------

  let leaves = false; // Escape was pressed: Tab leaves the editor

  source.addEventListener("keydown", (e) => {
    const open = !choices.hidden;
    if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) choose(chosen + (e.key === "ArrowDown" ? 1 : -1));
    else if (open && (e.key === "Enter" || e.key === "Tab")) take(chosen);
    else if (e.key === "Escape") { leaves = !open; hide(); }
    else if (e.key === "Tab" && !leaves && !e.shiftKey) insert(source.selectionStart, source.selectionEnd, "  ");
    else if (e.key === " " && e.ctrlKey) complete();
    else if (e.key === "Enter" && !e.ctrlKey && !e.metaKey) {
      const before = source.value.slice(0, source.selectionStart), line = before.slice(before.lastIndexOf("\n") + 1);
      insert(source.selectionStart, source.selectionEnd, "\n" + /^\s*/.exec(line)[0] + (/[{[(]\s*$/.test(line) ? "  " : ""));
    } else {
      leaves = leaves && e.key === "Shift";
      return;
    }
    e.preventDefault();
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      run();
    }
  });
  source.addEventListener("input", changed);
  source.addEventListener("scroll", () => { follow(); hide(); });
  source.addEventListener("blur", hide);

  // ---- tabs, examples, links ------------------------------------------------------

  const tabs = [...document.querySelectorAll("[role=tab]")];
  function select(tab) {
    for (const t of tabs) {
      const on = t === tab;
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
      $(t.getAttribute("aria-controls")).hidden = !on;
    }
  }
  tabs.forEach((t, i) => {
    t.onclick = () => select(t);
    t.onkeydown = (e) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const next = tabs[(to + tabs.length) % tabs.length];
      select(next);
      next.focus();
    };
  });

  $("example").append(Object.assign(new Option("Your own", ""), { hidden: true }), ...examples.map((e) => new Option(e.title, e.name)));
  $("example").onchange = (e) => {
    const found = examples.find((x) => x.name === e.target.value);
    replace(found.name, found.text);
    history.replaceState(null, "", "#example=" + encodeURIComponent(found.name));
    run();
  };
  $("run").onclick = run;
  $("stop").onclick = () => stopped("Stopped.");
  $("format").onclick = async () => {
    const edits = await request("textDocument/formatting", { textDocument: { uri: uri() }, options: { tabSize: 2, insertSpaces: true } });
    if (!edits) return say("The file has a syntax error and cannot be formatted.", "bad");
    for (const e of [...edits].sort((a, b) => offset(b.range.start) - offset(a.range.start))) insert(offset(e.range.start), offset(e.range.end), e.newText);
    say("Formatted.", "good");
  };

  function replace(to, text) {
    if (language.ready) tell({ method: "textDocument/didClose", params: { textDocument: { uri: uri() } } });
    name = to;
    $("example").value = examples.some((e) => e.name === to && e.text === text) ? to : "";
    source.value = text;
    source.scrollTop = 0;
    language.problems = [];
    paint();
    if (language.ready) {
      open();
      colour();
    }
  }

  const packed = async (text) => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let out = "";
    for (const b of bytes) out += String.fromCharCode(b);
    return btoa(out).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };

  // unpacked reads a shared text, piece by piece: a link that would grow without
  // bound is refused.
  const unpackedText = async (text) => {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let out = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return out + decoder.decode();
      out += decoder.decode(value, { stream: true });
      if (out.length > sharedMax) throw new Error("it is too long");
    }
  };

  $("share").onclick = async () => {
    const link = "#code=" + (await packed(source.value));
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied. It holds the file itself; nothing is stored anywhere.", "good");
    } catch {
      say("The link is in the address bar. It holds the file itself; nothing is stored anywhere.", "good");
    }
  };

  async function fromAddress() {
    const [, key, value] = /^#(code|example)=(.*)$/.exec(location.hash) ?? [];
    if (key === "code") {
      try {
        replace("shared.scenario.hcl", await unpackedText(value));
        return;
      } catch (e) {
        say(`The link cannot be read: ${e.message}`, "bad");
      }
    }
    const found = key === "example" && examples.find((x) => x.name === decodeURIComponent(value));
    const one = found || examples[0];
    replace(one.name, one.text);
  }
  window.addEventListener("hashchange", async () => { await fromAddress(); run(); });

  // scenarioPlay shows a text and runs it; tests and other scripts of the page call it.
  window.scenarioPlay = (to, text) => {
    stopped("Stopped.");
    replace(to, text);
    run();
  };

  // scenarioCost is how long a run takes in the worker, in milliseconds, of several the
  // least: a thread of its own, so what else the page does is not in it.
  window.scenarioCost = async (to, text, times) => {
    let least = Infinity;
    for (let i = 0; i < times; i++) {
      delete window.scenarioAnswer;
      window.scenarioPlay(to, text);
      while (!window.scenarioAnswer) await new Promise((r) => setTimeout(r, 1));
      least = Math.min(least, window.scenarioAnswer.took);
    }
    return least;
  };

  // ---- begin ------------------------------------------------------------------------

  (async () => {
    await fromAddress();
    try {
      await load();
    } catch (e) {
      return say(`The engine could not be loaded: ${e.message}`, "bad");
    }
    fresh();
    buttons();
    await run();
    serve();
  })();
})();
