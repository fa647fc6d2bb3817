// An agent that asks a model, and asks again if it is told to come later.
import { setTimeout as sleep } from 'node:timers/promises'

interface Completion { choices: { message: { content: string } }[] }

export async function ask(question: string, baseURL: string, tries = 3): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(baseURL + '/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY ?? 'none'}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: question }] }),
    })
    if (answer.ok) return ((await answer.json()) as Completion).choices[0]?.message.content
    if (![429, 500, 502, 503].includes(answer.status) || attempt === tries) throw new Error(`the model answers ${answer.status}`)
    await sleep(1000 * Number(answer.headers.get('retry-after') ?? 0.1))
  }
}
