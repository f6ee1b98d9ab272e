import { setTimeout as pause } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import {
  rpcOf,
  send,
  toolCallOf,
  type RawResponse,
  type RawRequest,
  type Door,
} from './requests.ts'

interface Write {
  title: string
  /** Id from the acknowledgment. */
  id?: string
}

/** Callers that record answers, and retry with the same idempotency key if they got none. */
export class Ledger {
  readonly #writes = new Map<string, Write>()
  readonly #open = new Map<number, string>()
  /** Answers that a healthy server would not send. */
  readonly unexpected: string[] = []
  calls = 0
  retried = 0

  /** One call of a caller: two of five are writes, over both protocols, the others are reads. */
  async step(door: Door, caller: number, turn: number): Promise<void> {
    if (turn % 5 < 2) return this.#write(door, caller, `${caller}-${turn}`)
    const last = [...this.#writes.values()].findLast((write) => write.id)?.id ?? 'SOAK-1'
    const reads: RawRequest[] = [
      { method: 'GET', path: '/api/tasks?project_id=SOAK&limit=20' },
      toolCallOf('search_tasks', { query: `soak ${turn}`, limit: 5 }),
      { method: 'GET', path: `/api/tasks/${last}` },
      {
        method: 'PATCH',
        path: `/api/tasks/${last}`,
        body: JSON.stringify({ priority: turn % 2 ? 'high' : 'low' }),
      },
    ]
    await this.#once(door, reads[turn % reads.length]!)
  }

  /** Retries a caller's unanswered requests once more. */
  async settle(door: Door, caller: number): Promise<void> {
    const key = this.#open.get(caller)
    if (key !== undefined) await this.#write(door, caller, key)
  }

  async #write(door: Door, caller: number, key: string): Promise<void> {
    const title = `Soak ${key}`
    const write = this.#writes.get(key) ?? { title }
    this.#writes.set(key, write)
    this.#open.set(caller, key)
    const args = {
      project_id: 'SOAK',
      title,
      description_markdown: `Written by caller ${caller}.`,
      idempotency_key: key,
    }
    const request: RawRequest =
      caller % 2
        ? toolCallOf('create_task', args)
        : { method: 'POST', path: '/api/tasks', body: JSON.stringify(args) }
    for (;;) {
      const answer = await this.#once(door, request)
      const answered =
        answer && (request.path === '/mcp' ? rpcOf(answer)?.result?.structuredContent : answer.json)
      if (answer && typeof answered?.id !== 'string')
        this.unexpected.push(`create_task: ${answer.status} ${answer.text.slice(0, 200)}`)
      if (answer) {
        if (write.id !== undefined && write.id !== answered?.id)
          this.unexpected.push(`${key} was ${write.id}, and then ${answered?.id}`)
        if (typeof answered?.id === 'string') write.id = answered.id
        return void this.#open.delete(caller)
      }
      this.retried++
      await pause(50)
    }
  }

  /** Sends a request; undefined if the server is gone. */
  async #once(door: Door, request: RawRequest): Promise<RawResponse | undefined> {
    const answer = await send(door, request).catch(() => undefined)
    if (!answer) return undefined
    this.calls++
    if (answer.status >= 500 || answer.status === 401 || answer.status === 403)
      this.unexpected.push(
        `${request.method} ${request.path}: ${answer.status} ${answer.text.slice(0, 200)}`,
      )
    return answer
  }

  /** Compares the acknowledged writes with the database. */
  compare(db: Database.Database): {
    acknowledged: number
    lost: number
    doubled: number
    unlogged: number
  } {
    const tasks = Map.groupBy(
      db.prepare("SELECT id, title FROM tasks WHERE title LIKE 'Soak %'").all() as {
        id: string
        title: string
      }[],
      (row) => row.title,
    )
    const callsByKey = new Map(
      db
        .prepare(
          "SELECT idempotency_key, count(*) FROM calls WHERE tool = 'create_task' AND changed = 1 GROUP BY idempotency_key",
        )
        .raw()
        .all() as [string, number][],
    )
    const comparison = { acknowledged: 0, lost: 0, doubled: 0, unlogged: 0 }
    for (const [key, { title, id }] of this.#writes) {
      const ids = (tasks.get(title) ?? []).map((item) => item.id)
      if (id !== undefined) comparison.acknowledged++
      if (id !== undefined && !ids.includes(id)) comparison.lost++
      if (ids.length > 1) comparison.doubled++
      if (ids.length !== (callsByKey.get(key) ?? 0)) comparison.unlogged++
    }
    return comparison
  }
}
