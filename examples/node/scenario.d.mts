// The types of scenario.mjs: copy both files.

/** Starts `scenario serve` on some files. */
export function serve(...files: string[]): Promise<Server>

export class Server {
  /** Runs a function in a new session of a scenario, and judges it. Null is the only scenario of the files. */
  session(scenario: string | null, run: (session: Session) => unknown): Promise<void>
  close(): Promise<void>
}

export class Session {
  /** The base URL of a provider in this session. */
  url(provider: string): string
  /** The variables of clients: OPENAI_BASE_URL and the like, and keys that open nothing. */
  env(): Record<string, string>
}
