// The same with the runner that comes with Node: node --test ask.node.test.ts from Node
// 22.18 on, and node --import tsx --test ask.node.test.ts before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { ask } from './ask.ts'
import { serve, type Server } from './scenario.mjs'

let server: Server
before(async () => { server = await serve('agent.scenario.hcl') })
after(() => server.close())

test('a rate limit is survived', () =>
  server.session('a rate limit is survived', async (session) => {
    assert.equal(await ask('Why is the sky blue?', session.url('llm')), 'Rayleigh scattering.')
  }))
