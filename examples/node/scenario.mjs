// Test TypeScript and JavaScript against scenario files: each test has a session
// of its own, in which the services fail as the file says. It needs Node 18, the
// command `scenario` in PATH and nothing else, whatever runs the tests.
//
//   const server = await serve('agent.scenario.hcl')
//   await server.session('a rate limit is survived', async (session) => {
//     assert.equal(await ask('Why?', session.url('llm')), 'Rayleigh scattering.')
//   }) // throws where the scenario does not hold
//   await server.close()
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { request } from 'node:http'

const missing = 'there is no command `scenario` in PATH: install it, or add its directory'

/** Starts `scenario serve` on some files. */
export async function serve(...files) {
  const child = spawn('scenario', ['serve', '--quiet', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(child, 'error').then(([error]) => { throw error.code === 'ENOENT' ? new Error(missing) : error })
  const ended = once(child, 'exit').then(([code]) => { throw new Error(`scenario serve ended with exit code ${code}`) })
  failed.catch(() => {})
  ended.catch(() => {})
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed, ended])
  return new Server(child, JSON.parse(line))
}

export class Server {
  constructor(child, addresses) { Object.assign(this, { child, addresses }) }

  /** Runs a function in a new session of a scenario, and judges it. */
  async session(scenario, run) {
    const test = {}
    Error.captureStackTrace(test, this.session)
    const { status, body } = await this.control('POST', '/sessions', scenario ? { scenario } : {})
    if (status !== 201) throw new Error(body.error ?? JSON.stringify(body))
    const session = new Session(this, body)
    try {
      await run(session)
    } catch (error) {
      // What the scenario has to say is often why.
      await session.finish().catch((found) => { if (error instanceof Error) error.message += `\n\n${found.message}` })
      throw error
    }
    await session.finish().catch((found) => {
      // Runners show the first line of code that a stack names: that of the test.
      found.stack = `${found.name}: ${found.message}\n${test.stack.slice(test.stack.indexOf('\n    at ') + 1)}`
      throw found
    })
  }

  /** Asks the control listener directly, past any proxy and any mock of fetch. */
  control(method, path, value) {
    return new Promise((resolve, reject) => {
      const req = request(this.addresses.control + path, { method }, (res) => {
        let text = ''
        res.setEncoding('utf8').on('data', (part) => { text += part })
        res.on('end', () => resolve({ status: res.statusCode, body: text ? JSON.parse(text) : null }))
      })
      req.on('error', reject)
      req.end(value === undefined ? undefined : JSON.stringify(value))
    })
  }

  async close() {
    const exit = once(this.child, 'exit')
    if (this.child.exitCode === null && this.child.kill()) await exit
  }
}

/** Whether so many edits make one name of another; two letters that change places are one. */
function similar(a, b, edits) {
  if (a === b || edits === 0) return a === b
  let same = 0
  while (a[same] === b[same]) same++
  const [x, y] = [a.slice(same), b.slice(same)]
  const tried = [[x.slice(1), y], [x, y.slice(1)], [x.slice(1), y.slice(1)]]
  if (x[0] === y[1] && x[1] === y[0]) tried.push([x.slice(2), y.slice(2)])
  return tried.some(([c, d]) => similar(c, d, edits - 1))
}

export class Session {
  constructor(server, told) { Object.assign(this, { server, told }) }

  /** The base URL of a provider in this session. */
  url(provider) {
    const { providers } = this.server.addresses, names = Object.keys(providers)
    if (names.includes(provider)) return this.#own(providers[provider])
    const meant = [1, 2].flatMap((edits) => names.filter((name) => similar(provider, name, edits)))
    const hint = meant.length > 0 ? ` Did you mean ${JSON.stringify(meant[0])}?` : ''
    throw new Error(`the scenario files have no provider ${JSON.stringify(provider)}.${hint} There are: ${names.join(', ') || 'none over HTTP'}`)
  }

  /** The variables of clients: OPENAI_BASE_URL and the like, and keys that open nothing. */
  env() {
    const { env, providers } = this.server.addresses
    const known = Object.values(providers)
    const own = (v) => known.includes(v) ? [this.#own(v)] : v === 'scenario' ? [v] : []
    return Object.fromEntries(Object.entries(env).flatMap(([k, v]) => own(v).map((value) => [k, value])))
  }

  #own(address) {
    const url = new URL(address)
    return (url.origin + this.told.prefix + url.pathname).replace(/\/$/, '')
  }

  /** Judges the session: an error says what does not hold. */
  async finish() {
    const path = `/sessions/${this.told.id}`
    const { status, body } = await this.server.control('POST', path + '/finish')
    await this.server.control('DELETE', path)
    if (status === 200) return
    // Why nothing was asked comes first: the rest may follow from that.
    throw new Error([...(body.warnings ?? []), body.text ?? JSON.stringify(body)].join('\n'))
  }
}
