// Asks at every meeting, one shortly after the other, and writes what a caller gets. The library is
// named by the first argument.
import { writeFileSync } from "node:fs";

const urls = JSON.parse(process.env.CONFORMANCE_URLS);
const streams = new Set(JSON.parse(process.env.CONFORMANCE_STREAMS));
const messages = [{ role: "user", content: "why?" }];
const patience = { timeout: 1500 };

async function openai({ default: OpenAI }, baseURL, stream, heard) {
  const client = new OpenAI({ baseURL, apiKey: "x", ...patience });
  const answer = await client.chat.completions.create({ model: "m", messages, stream });
  if (!stream) return heard(typeof answer === "string" ? "other bytes" : answer?.choices?.[0]?.message?.content);
  for await (const event of answer) heard(event.choices?.[0]?.delta?.content);
}

async function anthropic({ default: Anthropic }, baseURL, stream, heard) {
  const client = new Anthropic({ baseURL, apiKey: "x", ...patience });
  const answer = await client.messages.create({ model: "m", max_tokens: 9, messages, stream });
  if (!stream) return heard(typeof answer === "string" ? "other bytes" : answer?.content?.[0]?.text);
  for await (const event of answer) heard(event.delta?.text);
}

// What a program can tell an error by: its class, its status, and the nearest
// cause that has a code.
function classOf(error) {
  const name = error.constructor.name + (error.status ? " " + error.status : "");
  for (let cause = error.cause; cause; cause = cause.cause) if (cause.code) return name + ", " + cause.code;
  return name;
}

// A caller is not kept waiting for longer than this.
class WaitsOn extends Error {}
const enough = () => new Promise((_, give) => setTimeout(() => give(new WaitsOn()), 12_000));

// What is read too late is another error: a program that does nothing but begin
// for a while would not be one that a library is known by.
const spread = 60;
const pause = (ms) => new Promise((go) => setTimeout(go, ms));

const [ask, library] = { openai: [openai, "openai"], anthropic: [anthropic, "@anthropic-ai/sdk"] }[process.argv[2]];
const linked = await import(library);
const said = {};
await Promise.all(
  Object.entries(urls).map(async ([name, url], place) => {
    await pause(spread * place);
    let text = "", error = "";
    try {
      await Promise.race([ask(linked, url, streams.has(name), (part) => (text += part ?? "")), enough()]);
    } catch (e) {
      error = classOf(e);
    }
    said[name] = [text, error];
  }),
);
writeFileSync(process.env.CONFORMANCE_SAID, JSON.stringify(said));
process.exit(0); // what still waits for an answer has been given up
