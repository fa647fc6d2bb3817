// One of two workers: it runs scenarios, or it is the editor's language server. The
// page hands over the compiled module, and ends a worker that takes too long.
"use strict";

let send; // messages of the editor, for the language server

self.onmessage = async ({ data }) => {
  switch (data.kind) {
    case "start": {
      const go = new Go();
      const instance = await WebAssembly.instantiate(data.module, go.importObject);
      go.run(instance); // it sets what is called below, and does not end
      if (data.language) send = scenarioLanguage((text) => self.postMessage({ kind: "message", text }));
      self.postMessage({ kind: "ready" });
      return;
    }
    case "run": {
      const began = performance.now();
      const answer = JSON.parse(scenarioRun(JSON.stringify(data.files), data.name));
      self.postMessage({ kind: "answer", id: data.id, answer, took: performance.now() - began });
      return;
    }
    case "message":
      send(data.text);
  }
};
