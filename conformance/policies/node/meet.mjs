// Asks at every meeting with the library that the first argument names, and writes what its
// caller gets: "ok", a status, "connection" or "timeout".
import { writeFileSync } from "node:fs";

const urls = JSON.parse(process.env.CONFORMANCE_URLS);
const patience = 400;

// statusOr is the status of an error, or what else became of the request.
function statusOr(error, status, timeouts) {
  if (status) return String(status);
  for (let e = error; e; e = e.cause) if (timeouts.includes(e.code) || timeouts.includes(e.name)) return "timeout";
  return "connection";
}

const libraries = {
  "axios-retry": async () => {
    const { default: axios } = await import("axios");
    const { default: axiosRetry } = await import("axios-retry");
    return async (url, { method, hangs }) => {
      const client = axios.create();
      axiosRetry(client);
      await client.request({ url, method, ...(hangs && { timeout: patience }) });
    };
  },
  got: async () => {
    const { default: got } = await import("got");
    return async (url, { method, hangs }) => await got(url, { method, ...(hangs && { timeout: { request: patience } }) });
  },
  undici: async () => {
    const { Agent, RetryAgent, request } = await import("undici");
    return async (url, { method, hangs }) => {
      const agent = new Agent(hangs ? { headersTimeout: patience } : {});
      const answer = await request(url, { method, dispatcher: new RetryAgent(agent) });
      if (answer.statusCode !== 200) throw Object.assign(new Error(), { status: answer.statusCode });
      await answer.body.text();
    };
  },
  "@google/genai": async () => {
    const { GoogleGenAI } = await import("@google/genai");
    return async (url, { hangs }) => {
      const httpOptions = { baseUrl: url, retryOptions: {}, ...(hangs && { timeout: patience }) };
      await new GoogleGenAI({ apiKey: "x", httpOptions }).models.generateContent({ model: "m", contents: "why?" });
    };
  },
  ai: async () => {
    const { generateText } = await import("ai");
    const { createOpenAI } = await import("@ai-sdk/openai");
    return async (url) => {
      try {
        await generateText({ model: createOpenAI({ baseURL: url, apiKey: "x" }).chat("m"), prompt: "why?" });
      } catch (error) {
        throw error.lastError ?? error;
      }
    };
  },
  // What its integrations put around their clients, whose errors have a status and headers.
  "@langchain/core": async () => {
    const { AsyncCaller } = await import("@langchain/core/utils/async_caller");
    return async (url, { method, hangs }) => {
      await new AsyncCaller({}).call(async () => {
        const answer = await fetch(url, { method, ...(hangs && { signal: AbortSignal.timeout(patience) }) });
        if (!answer.ok) throw Object.assign(new Error("HTTP " + answer.status), { status: answer.status, headers: answer.headers });
        await answer.text();
      });
    };
  },
};

const timeouts = ["ETIMEDOUT", "ECONNABORTED", "TimeoutError", "AbortError", "UND_ERR_HEADERS_TIMEOUT"];
const ask = await libraries[process.argv[2]]();
const said = {};
await Promise.all(
  Object.entries(urls).map(async ([name, url]) => {
    const how = { method: name.endsWith("_post") ? "POST" : "GET", hangs: name === "hang" };
    try {
      await ask(url, how);
      said[name] = "ok";
    } catch (e) {
      said[name] = statusOr(e, e.response?.status ?? e.response?.statusCode ?? e.statusCode ?? e.status, timeouts);
      if (process.env.CONFORMANCE_ERRORS) console.error(name, e);
    }
  }),
);
writeFileSync(process.env.CONFORMANCE_SAID, JSON.stringify(said));
process.exit(0);
