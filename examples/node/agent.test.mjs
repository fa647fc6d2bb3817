import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { ask } from './agent.mjs'
import { serve } from './scenario.mjs'

let server
before(async () => { server = await serve('agent.scenario.hcl') })
after(() => server.close())

test('a rate limit is survived', () =>
  server.session('a rate limit is survived', async (session) => {
    assert.equal(await ask('Why is the sky blue?', session.url('llm')), 'Rayleigh scattering.')
  }))

test('a bad key is not tried again', () =>
  server.session('a bad key is not tried again', async (session) => {
    await assert.rejects(ask('Why is the sky blue?', session.env().OPENAI_BASE_URL), /401/)
  }))

test('a session in which nobody calls fails', () =>
  assert.rejects(server.session('nobody calls', async () => {}), /unused_reply/))

test('an unknown provider is refused', () =>
  server.session('a rate limit is survived', async (session) => {
    assert.throws(() => session.url('lmm'), /no provider "lmm"\. Did you mean "llm"\? There are: llm$/)
    assert.throws(() => session.url('payments'), /no provider "payments"\. There are: llm$/)
    await ask('Why is the sky blue?', session.url('llm'))
  }))

test('an unknown scenario is refused', () =>
  assert.rejects(server.session('no such thing', async () => {}), /no such thing/))

test('a file that is not there ends the server', () =>
  assert.rejects(serve('nowhere.scenario.hcl'), /exit code 2/))
