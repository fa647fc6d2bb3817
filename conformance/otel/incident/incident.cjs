// Makes a trace of an incident: OpenTelemetry's own instrumentations of the OpenAI
// client and of fetch watch a program whose services fail, and what they say is
// written to a file as OTLP/JSON, one export a line. The services are the server
// below; nothing leaves the machine. Use: node incident.cjs FILE
const { appendFileSync, writeFileSync } = require("node:fs");
const { createServer } = require("node:http");
const { trace, context, SpanStatusCode } = require("@opentelemetry/api");
const { logs } = require("@opentelemetry/api-logs");
const { registerInstrumentations } = require("@opentelemetry/instrumentation");
const { OpenAIInstrumentation } = require("@opentelemetry/instrumentation-openai");
const { UndiciInstrumentation } = require("@opentelemetry/instrumentation-undici");
const { JsonLogsSerializer, JsonTraceSerializer } = require("@opentelemetry/otlp-transformer");
const { resourceFromAttributes } = require("@opentelemetry/resources");
const { LoggerProvider, SimpleLogRecordProcessor } = require("@opentelemetry/sdk-logs");
const { BatchSpanProcessor, NodeTracerProvider } = require("@opentelemetry/sdk-trace-node");

Error.stackTraceLimit = 0; // no paths of this machine
const out = process.argv[2];
writeFileSync(out, "");
const exporter = (serializer) => ({
  export(items, done) {
    appendFileSync(out, Buffer.from(serializer.serializeRequest(items)).toString() + "\n");
    done({ code: 0 });
  },
  shutdown: async () => {},
  forceFlush: async () => {},
});
const resource = resourceFromAttributes({ "service.name": "support-agent" });
const spans = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter(JsonTraceSerializer))] });
spans.register();
const records = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter: exporter(JsonLogsSerializer) })] });
logs.setGlobalLoggerProvider(records);
registerInstrumentations({
  instrumentations: [
    new OpenAIInstrumentation({ captureMessageContent: true }),
    new UndiciInstrumentation({ headersToSpanAttributes: { responseHeaders: ["retry-after", "content-type"] } }),
  ],
});
const { OpenAI } = require("openai");

const json = (code, body, headers = {}) => (res) => {
  res.writeHead(code, { "Content-Type": "application/json", ...headers });
  res.end(JSON.stringify(body));
};
const refused = (code, message) => json(code, { error: { message, type: "server_error" } }, code === 429 ? { "Retry-After": "1" } : { "retry-after-ms": "100" });
const answer = (message, finish_reason) =>
  json(200, {
    id: "chatcmpl-1", object: "chat.completion", created: 1, model: "gpt-4o-mini-2024-07-18",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage: { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 },
  });
const reset = (res) => setTimeout(() => res.socket.resetAndDestroy(), 30);
const stream = (res) => {
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const [content, finish_reason] of [["Your order ", null], ["is on its way.", null], [undefined, "stop"]]) {
    res.write(`data: ${JSON.stringify({ id: "chatcmpl-2", object: "chat.completion.chunk", created: 1, model: "gpt-4o-mini-2024-07-18", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`);
  }
  res.end("data: [DONE]\n\n");
};
const script = [
  refused(429, "Rate limit reached for requests."),
  refused(503, "The server is overloaded."),
  answer({ content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: "look_up", arguments: '{"order": 7}' } }] }, "tool_calls"),
  (res) => setTimeout(() => json(200, { state: "shipped" })(res), 40),
  stream,
  reset, reset, reset,
];
const server = createServer((req, res) => {
  req.resume();
  req.on("end", () => (script.shift() || json(500, {}))(res));
});

server.listen(18431, "127.0.0.1", async () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const llm = new OpenAI({ apiKey: "none", baseURL: origin + "/v1", maxRetries: 2 });
  const tools = [{ type: "function", function: { name: "look_up", parameters: { type: "object", properties: { order: { type: "integer" } } } } }];
  const messages = [
    { role: "system", content: "You are the support of a shop." },
    { role: "user", content: "Where is order 7?" },
  ];
  const model = "gpt-4o-mini";
  await trace.getTracer("support-agent").startActiveSpan("handle question", async (span) => {
    try {
      const first = await llm.chat.completions.create({ model, messages, tools });
      const order = await (await fetch(origin + "/orders/7?token=a-token-of-no-use-1")).text();
      messages.push(first.choices[0].message, { role: "tool", tool_call_id: "call_1", content: order });
      let text = "";
      for await (const chunk of await llm.chat.completions.create({ model, messages, tools, stream: true })) text += chunk.choices[0]?.delta?.content ?? "";
      await llm.chat.completions.create({ model, messages: [{ role: "user", content: "Summarize: " + text }] });
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
    } finally {
      span.end();
    }
  });
  await spans.shutdown();
  await records.shutdown();
  server.close();
});
