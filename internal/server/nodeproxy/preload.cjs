// Sends what a program in Node asks through the proxy that its environment
// names. From 24.5 and 22.21 on Node does so itself where NODE_USE_ENV_PROXY is
// set; for those before it, this file is loaded ahead of the program. It reaches
// fetch and the agents that the modules http and https have by default.
'use strict';

const env = process.env;
const byNode = env.NODE_USE_ENV_PROXY === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
const proxies = {
  'http:': proxy(env.http_proxy || env.HTTP_PROXY),
  'https:': proxy(env.https_proxy || env.HTTPS_PROXY),
};
if (!byNode && (proxies['http:'] || proxies['https:'])) install();

// proxy is a parsed address, or nothing for one that cannot be spoken to.
function proxy(address) {
  if (!address) return undefined;
  try {
    const url = new URL(address.includes('://') ? address : 'http://' + address);
    return url.protocol === 'http:' ? url : undefined;
  } catch {
    return undefined;
  }
}

function install() {
  const http = require('http');
  const https = require('https');
  if (proxies['http:']) http.globalAgent = through(http, 'http:');
  if (proxies['https:']) https.globalAgent = through(https, 'https:');

  // The dispatcher of fetch is there once fetch was called; its class has no
  // other name. A data: address is answered without a connection.
  if (typeof fetch !== 'function') return;
  fetch('data:,').catch(() => {});
  const key = Symbol.for('undici.globalDispatcher.1');
  const Agent = globalThis[key]?.constructor;
  // Bundling may have marked the name; an agent of another kind is somebody's choice.
  if (typeof Agent !== 'function' || !/^_?Agent\d*$/.test(Agent.name)) return;
  Object.defineProperty(globalThis, key, {
    value: new Agent({ connect: connectForFetch }), writable: true, enumerable: false, configurable: false,
  });
}

// through is an agent like the module's own one.
function through(module, protocol) {
  class ProxyAgent extends module.Agent {
    createConnection(options, callback) {
      if (options.socketPath || !proxied(protocol, options.host, options.port)) {
        return super.createConnection(options, callback);
      }
      connect({ ...options, protocol }, callback);
    }
  }
  return new ProxyAgent(module.globalAgent.options);
}

function connectForFetch({ hostname, host, protocol, port, servername, localAddress }, callback) {
  hostname = hostname.replace(/^\[|\]$/g, '');
  const timeout = 10_000; // as undici's own
  const options = { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), protocol, localAddress };
  if (servername) options.servername = servername;
  if (protocol === 'https:') options.ALPNProtocols = ['http/1.1'];
  const socket = proxied(protocol, options.host, options.port) ? connect(options, done) : direct(options, done);
  const timer = setTimeout(() => {
    const error = new Error('Connect Timeout Error');
    error.name = 'ConnectTimeoutError';
    error.code = 'UND_ERR_CONNECT_TIMEOUT';
    done(error);
    socket.destroy();
  }, timeout);
  let over = false;
  function done(error, socket) {
    if (over) return;
    over = true;
    clearTimeout(timer);
    if (error) return callback(error);
    socket.setKeepAlive?.(true, 60_000);
    socket.setNoDelay?.(true);
    callback(null, socket);
  }
}

// direct connects without a proxy.
function direct(options, callback) {
  if (options.protocol === 'https:') return secure(options, callback);
  const socket = require('net').connect(options);
  return settle(socket, 'connect', callback);
}

// secure speaks TLS, over options.socket where there is one.
function secure(options, callback) {
  const { isIP } = require('net');
  if (options.servername === undefined && !isIP(options.host)) options.servername = options.host;
  return settle(require('tls').connect(options), 'secureConnect', callback);
}

// settle calls back once, with the socket or with what befell it before.
function settle(socket, event, callback) {
  const failed = (error) => callback(error);
  socket.once('error', failed);
  socket.once(event, () => {
    socket.off('error', failed);
    callback(null, socket);
  });
  return socket;
}

// connect asks the proxy for a connection to options.host, and speaks TLS over
// it where the protocol does. It returns the connection to the proxy.
function connect(options, callback) {
  const via = proxies[options.protocol];
  const target = (options.host.includes(':') ? `[${options.host}]` : options.host) + ':' + options.port;
  const raw = require('net').connect({ host: via.hostname.replace(/^\[|\]$/g, ''), port: Number(via.port) || 80 });
  let head = Buffer.alloc(0);
  const failed = (error) => callback(error);
  const ended = () => raw.destroy(Object.assign(new Error(`the proxy closed the connection before it answered CONNECT ${target}`), { code: 'ECONNRESET' }));
  raw.once('error', failed);
  raw.once('end', ended);
  raw.once('connect', () => {
    let ask = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n`;
    if (via.username) {
      const login = decodeURIComponent(via.username) + ':' + decodeURIComponent(via.password);
      ask += `Proxy-Authorization: Basic ${Buffer.from(login).toString('base64')}\r\n`;
    }
    raw.write(ask + '\r\n');
  });
  raw.on('readable', function read() {
    for (let chunk; (chunk = raw.read()) !== null;) {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (head.length > 65536) raw.destroy(new Error('the proxy answers without an end'));
        continue;
      }
      raw.off('readable', read);
      raw.off('end', ended);
      raw.off('error', failed);
      const status = head.toString('latin1', 0, head.indexOf('\r\n'));
      if (!/^HTTP\/1\.[01] 2\d\d/.test(status)) {
        raw.destroy();
        return callback(new Error(`the proxy refused CONNECT ${target}: ${status}`));
      }
      if (head.length > end + 4) raw.unshift(head.subarray(end + 4));
      if (options.protocol !== 'https:') return callback(null, raw);
      const { path, ...rest } = options; // of the request, and not of a socket
      return void secure({ ...rest, socket: raw }, callback);
    }
  });
  return raw;
}

// proxied reports whether a host is asked through the proxy: NO_PROXY lists
// those that are not, by name or suffix, with a port or without.
function proxied(protocol, host, port) {
  if (!proxies[protocol]) return false;
  const name = String(host).toLowerCase();
  for (let entry of (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/)) {
    if (entry === '') continue;
    if (entry === '*') return false;
    const withPort = entry.match(/^(\[.*\]|[^:]*):(\d+)$/);
    if (withPort) {
      if (withPort[2] !== String(port)) continue;
      entry = withPort[1];
    }
    entry = entry.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
    if (name === entry || name.endsWith('.' + entry)) return false;
  }
  return true;
}
