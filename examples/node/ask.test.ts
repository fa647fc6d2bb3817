import { afterAll, beforeAll, expect, test } from 'vitest'

import { ask } from './ask.js'
import { serve, type Server } from './scenario.mjs'

let server: Server
beforeAll(async () => { server = await serve('agent.scenario.hcl') })
afterAll(() => server.close())

test('a rate limit is survived', () =>
  server.session('a rate limit is survived', async (session) => {
    expect(await ask('Why is the sky blue?', session.url('llm'))).toBe('Rayleigh scattering.')
  }))

test('a bad key is not tried again', () =>
  server.session('a bad key is not tried again', async (session) => {
    await expect(ask('Why is the sky blue?', session.env().OPENAI_BASE_URL ?? '')).rejects.toThrow('401')
  }))
