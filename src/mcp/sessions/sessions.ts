import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../../operations/app.ts'
import { describeError } from '../../db/failures.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Milliseconds between checks for sessions that may have ended. */
const sweepInterval = 4000
const minute = 60_000

/** One session of either transport. */
export interface McpSession {
  readonly id: string
  /** Actor who started the session: no one else may use it, nor any other key of theirs. */
  readonly actor: Actor
  /** Last use, in milliseconds. */
  readonly usedAt: number
  /** Whether a stream is open or a call is running. */
  readonly isInUse: boolean
  /** Drops data it no longer needs. */
  tidy(now: number): void
  /** Ends it with all running work. It removes itself from the table. */
  end(): void
}

/** All sessions: a limited number per key, ended when idle or when their key is no longer valid. */
export class McpSessions {
  readonly #app: App
  readonly #byId = new Map<string, McpSession>()
  readonly #byKey = new Map<string, Set<McpSession>>()
  #sweep: NodeJS.Timeout | undefined

  constructor(app: App) {
    this.#app = app
  }

  /** Ends the longest idle session of a key that has too many. @throws Refusal rate_limited if all are in use */
  makeRoom(actor: Actor): void {
    const maxSessions = this.#app.settings.mcp_sessions_per_key
    const keySessions = this.#byKey.get(sessionKeyOf(actor))
    if (!keySessions || keySessions.size < maxSessions) return
    const idle = [...keySessions].filter((mcpSession) => !mcpSession.isInUse)
    if (idle.length === 0)
      throw new Refusal('rate_limited', `This key already has ${maxSessions} sessions in use.`, {
        hint: 'End one of them first.',
        retry_after_seconds: 60,
      })
    idle.reduce((a, b) => (b.usedAt < a.usedAt ? b : a)).end()
  }

  add(session: McpSession): void {
    const key = sessionKeyOf(session.actor)
    const keySessions = this.#byKey.get(key) ?? new Set()
    this.#byKey.set(key, keySessions.add(session))
    this.#byId.set(session.id, session)
    this.#sweep ??= setInterval(() => void this.#endInvalid(), sweepInterval).unref()
  }

  /** The session with an id, if it belongs to the actor. */
  find(id: string, actor: Actor): McpSession | undefined {
    const session = this.#byId.get(id)
    if (
      !session ||
      sessionKeyOf(session.actor) !== sessionKeyOf(actor) ||
      session.actor.id !== actor.id
    )
      return undefined
    if (!this.#isIdle(session)) return session
    session.end()
    return undefined
  }

  remove(session: McpSession): void {
    const key = sessionKeyOf(session.actor)
    const keySessions = this.#byKey.get(key)
    keySessions?.delete(session)
    if (keySessions?.size === 0) this.#byKey.delete(key)
    this.#byId.delete(session.id)
    if (this.#byId.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  endAll(): void {
    for (const session of [...this.#byId.values()]) session.end()
  }

  async #endInvalid(): Promise<void> {
    const now = this.#app.clock.now()
    for (const keySessions of [...this.#byKey.values()]) {
      const [first] = keySessions
      const isValid = first === undefined || (await this.#isValid(first.actor))
      for (const session of [...keySessions]) {
        if (!isValid || this.#isIdle(session)) session.end()
        else session.tidy(now)
      }
    }
  }

  /** Checks the actor again; if the database is unavailable, the next sweep retries. */
  async #isValid(actor: Actor): Promise<boolean> {
    try {
      return await this.#app.keys.isValid(actor)
    } catch (error) {
      this.#app.log.error('the keys of sessions were not checked', { error: describeError(error) })
      return true
    }
  }

  #isIdle({ isInUse, usedAt }: McpSession): boolean {
    return !isInUse && this.#app.clock.now() - usedAt > this.#app.settings.mcp_session_idle * minute
  }
}

function sessionKeyOf({ key, id }: Actor): string {
  return key?.id ?? id
}
