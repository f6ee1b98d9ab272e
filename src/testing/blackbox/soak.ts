import { statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { rssOf } from '../../../bench/scenarios/load.ts'
import { verifyCalls } from '../../audit/verify.ts'
import { sqliteConnection } from '../../db/dialect.ts'
import { databasePath } from '../../db/open.ts'
import { workspace, workspaceJson } from '../process.ts'
import { fuzz, type Fuzzed } from './fuzz.ts'
import type { BlackboxInstance } from './instance.ts'
import { Ledger } from './ledger.ts'
import { HeldConnections } from './pressure.ts'
import { send, type Door } from './requests.ts'
import { surfaceOf } from './surface.ts'
import { plant, use } from './things.ts'

export interface SoakOptions {
  milliseconds: number
  keys: number
  killEvery: number
  /** Requests made from the schemas. */
  malformed: number
  seed: number
}

/** One line of the result. */
export interface SoakFinding {
  what: string
  value: string
  /** Required value; empty if it is only reported. */
  bar: string
  holds: boolean
}

/** A server under mixed load: callers with a ledger, malformed requests, slow clients, commands, kills. */
export class Soak {
  readonly #instance: BlackboxInstance
  readonly #options: SoakOptions
  readonly #until: number
  readonly #ledger = new Ledger()
  readonly #rss: { life: number; at: number; mib: number }[] = []
  readonly #restarts: number[] = []
  readonly #health: number[] = []
  readonly #wrong: string[] = []
  #maxWal = 0
  #commands = 0
  #isUp = true
  #fuzzed: Fuzzed = { sent: 0, statuses: {}, flaws: [] }

  constructor(instance: BlackboxInstance, options: SoakOptions) {
    this.#instance = instance
    this.#options = options
    this.#until = performance.now() + options.milliseconds
  }

  async run(): Promise<SoakFinding[]> {
    const doors: Door[] = []
    for (let i = 0; i < this.#options.keys; i++)
      doors.push({
        url: this.#instance.server.url,
        key: await this.#instance.newKey('ann@acme.test'),
      })
    await use(doors[0]!, 'create_project', { name: 'Soak', key: 'SOAK' })
    await Promise.all([
      ...doors.map((door, i) => this.#call(door, i)),
      this.#malform(doors[0]!),
      this.#command(),
      this.#press(doors[0]!),
      this.#watch(doors[0]!),
      this.#kill(),
    ])
    const exit = await this.#instance.server.end('SIGTERM')
    return [...this.#reported(exit), ...(await this.#stored())]
  }

  get #isOver(): boolean {
    return performance.now() >= this.#until
  }

  async #each(milliseconds: number, work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await pause(Math.min(milliseconds, Math.max(0, this.#until - performance.now())))
      if (!this.#isOver) await work()
    }
  }

  /** One caller, which retries unanswered requests. */
  async #call(door: Door, caller: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) await this.#ledger.step(door, caller, turn)
    await this.#ledger.settle(door, caller)
  }

  async #malform(door: Door): Promise<void> {
    const offered = (await surfaceOf(door)).filter((op) => op.name !== 'delete_project')
    const knownIds = Object.values(await plant(door, 'known', 'KNOWN')).flat()
    for (let batch = 0; !this.#isOver && this.#fuzzed.sent < this.#options.malformed; batch++) {
      const { sent, statuses, flaws } = await fuzz(door, offered, knownIds, {
        count: 2000,
        seed: this.#options.seed + batch,
        lanes: 4,
        goOn: () => this.#goOn(),
      })
      this.#fuzzed.sent += sent
      for (const [status, count] of Object.entries(statuses))
        this.#fuzzed.statuses[Number(status)] = (this.#fuzzed.statuses[Number(status)] ?? 0) + count
      this.#fuzzed.flaws.push(...flaws.filter((flaw) => !flaw.includes('no answer'))) // while it is down no one answers
    }
  }

  /** Waits until the server is available; false once time is up. */
  async #goOn(): Promise<boolean> {
    while (!this.#isUp && !this.#isOver) await pause(50)
    return !this.#isOver
  }

  /**
   * Simulates an administrator at the machine: creates a key, uses and revokes it, and expects refusals from then on.
   */
  async #command(): Promise<void> {
    await this.#each(Math.min(60_000, this.#options.milliseconds / 3), async () => {
      const { dir } = this.#instance
      const { id, key } = await workspaceJson(
        'keys',
        'create',
        '--user',
        'bob@acme.test',
        '--name',
        'soak',
        '--data',
        dir,
      )
      const door = { url: this.#instance.server.url, key: key as string }
      if ((await this.#statusOf(door)) !== 200) this.#wrong.push('a new key was refused')
      await workspaceJson('keys', 'revoke', id, '--data', dir)
      if ((await this.#statusOf(door)) !== 401) this.#wrong.push('a revoked key was let in')
      const ran = await workspace([
        'call',
        'list_tasks',
        '--as',
        'ann@acme.test',
        '--project-id',
        'SOAK',
        '--data',
        dir,
      ])
      if (ran.code !== 0)
        this.#wrong.push(`workspace call ended with ${ran.code}: ${ran.stderr.slice(0, 200)}`)
      this.#commands += 3
    })
  }

  /** The status of a small request, as soon as there is an answer. */
  async #statusOf(door: Door): Promise<number> {
    for (;;) {
      const answer = await send(door, { method: 'GET', path: '/api/labels' }).catch(() => undefined)
      if (answer) return answer.status
      await pause(50)
    }
  }

  async #press(door: Door): Promise<void> {
    await this.#each(5000, async () => {
      const connections = [
        new HeldConnections(door, {
          count: 60,
          first: 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n',
          drop: 'X-Slow: 1\r\n',
        }),
        new HeldConnections(door, {
          count: 60,
          first: `GET /sse HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${door.key}\r\nAccept: text/event-stream\r\n\r\n`,
        }),
        new HeldConnections(door, {
          count: 10,
          deaf: true,
          first:
            `GET /api/tasks?limit=100 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${door.key}\r\n\r\n`.repeat(
              5,
            ),
        }),
      ]
      await pause(Math.min(14_000, Math.max(0, this.#until - performance.now())))
      for (const heldConnections of connections) heldConnections.end()
    })
  }

  async #watch(door: Door): Promise<void> {
    await this.#each(250, async () => {
      if (!this.#isUp) return
      const at = performance.now()
      const answer = await send({ url: door.url }, { method: 'GET', path: '/healthz' }).catch(
        () => undefined,
      )
      if (!answer || !this.#isUp) return
      this.#health.push(performance.now() - at)
      this.#rss.push({
        life: this.#restarts.length,
        at,
        mib: rssOf(this.#instance.server.child.pid!),
      })
      this.#maxWal = Math.max(
        this.#maxWal,
        statSync(`${databasePath(this.#instance.dir)}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      )
    })
  }

  async #kill(): Promise<void> {
    for (;;) {
      await pause(Math.min(this.#options.killEvery, Math.max(0, this.#until - performance.now())))
      if (performance.now() > this.#until - 5000) return // the last life ends in order
      this.#isUp = false
      await this.#instance.server.end('SIGKILL')
      const at = performance.now()
      await this.#instance.restart()
      this.#restarts.push(performance.now() - at)
      this.#isUp = true
    }
  }

  #reported(exit: number | null): SoakFinding[] {
    const { calls, retried, unexpected } = this.#ledger
    const health = this.#health.toSorted((a, b) => a - b)
    const p95 = health[Math.floor(health.length * 0.95)] ?? Infinity
    const rss = Math.max(...this.#rss.map((item) => item.mib))
    const restart = Math.max(0, ...this.#restarts)
    const unexpectedFirst = unexpected[0] ? `: ${unexpected[0]}` : ''
    return [
      {
        what: 'calls of callers',
        value: `${calls} served, ${retried} asked again`,
        bar: '',
        holds: true,
      },
      {
        what: 'answers to callers that were not expected',
        value: `${unexpected.length}${unexpectedFirst}`,
        bar: '0',
        holds: unexpected.length === 0,
      },
      {
        what: 'requests made from the schemas',
        value: `${this.#fuzzed.sent} ${JSON.stringify(this.#fuzzed.statuses)}`,
        bar: '',
        holds: this.#fuzzed.sent > 0,
      },
      {
        what: 'of them answered wrongly',
        value: this.#fuzzed.flaws.slice(0, 3).join('\n') || '0',
        bar: '0',
        holds: this.#fuzzed.flaws.length === 0,
      },
      {
        what: 'commands beside it',
        value: `${this.#commands}, ${this.#wrong.length} wrong ${this.#wrong[0] ?? ''}`,
        bar: '0 wrong',
        holds: this.#wrong.length === 0,
      },
      {
        what: 'kills',
        value: `${this.#restarts.length}, again there within ${Math.round(restart)} ms`,
        bar: 'under 5000 ms',
        holds: restart < 5000,
      },
      {
        what: '/healthz, 95th percentile',
        value: `${Math.round(p95)} ms`,
        bar: 'under 250 ms',
        holds: p95 < 250,
      },
      {
        what: 'memory at most',
        value: `${Math.round(rss)} MiB`,
        bar: 'under 512 MiB',
        holds: rss < 512,
      },
      {
        what: 'memory, growth in the longest life',
        value: `${slopeOf(this.#rss).toFixed(1)} MiB/min`,
        bar: '',
        holds: true,
      },
      {
        what: 'write-ahead log at most',
        value: `${Math.round(this.#maxWal / 2 ** 20)} MiB`,
        bar: 'under 64 MiB',
        holds: this.#maxWal < 64 * 2 ** 20,
      },
      { what: 'exit code when asked to end', value: String(exit), bar: '0', holds: exit === 0 },
    ]
  }

  /** Checks the files afterwards. */
  async #stored(): Promise<SoakFinding[]> {
    const verified = await workspace(['audit', 'verify', '--data', this.#instance.dir])
    const db = new Database(databasePath(this.#instance.dir), { readonly: true })
    const integrity = db.pragma('integrity_check', { simple: true }) as string
    const orphans = (db.pragma('foreign_key_check') as unknown[]).length
    const broken = (await verifyCalls(sqliteConnection(db))).filter((chain) => chain.broken).length
    const { acknowledged, lost, doubled, unlogged } = this.#ledger.compare(db)
    const searchable = db
      .prepare(
        'SELECT count(*) FROM tasks t WHERE deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM search_docs d WHERE d.item_id = t.id)',
      )
      .pluck()
      .get() as number
    db.close()
    return [
      {
        what: 'acknowledged writes',
        value: `${acknowledged}, ${lost} lost`,
        bar: '0 lost',
        holds: lost === 0 && acknowledged > 0,
      },
      {
        what: 'writes that were made twice',
        value: String(doubled),
        bar: '0',
        holds: doubled === 0,
      },
      {
        what: 'writes without exactly one entry in the call log',
        value: String(unlogged),
        bar: '0',
        holds: unlogged === 0,
      },
      {
        what: 'tasks that the word index lacks',
        value: String(searchable),
        bar: '0',
        holds: searchable === 0,
      },
      {
        what: 'workspace audit verify',
        value: `exit ${verified.code}, ${broken} chains broken`,
        bar: 'exit 0',
        holds: verified.code === 0 && broken === 0,
      },
      {
        what: 'integrity, foreign keys',
        value: `${integrity}, ${orphans} orphans`,
        bar: 'ok, 0',
        holds: integrity === 'ok' && orphans === 0,
      },
    ]
  }
}

/**
 * Least-squares growth over the life with the most samples, without its first third: a process grows until it is
 * warm.
 */
function slopeOf(samples: readonly { life: number; at: number; mib: number }[]): number {
  const lives = [...Map.groupBy(samples, (sample) => sample.life).values()].sort(
    (a, b) => b.length - a.length,
  )
  const warm = (lives[0] ?? []).slice(Math.floor((lives[0]?.length ?? 0) / 3))
  const mean = (measure: (item: { at: number; mib: number }) => number) =>
    warm.reduce((sum, item) => sum + measure(item), 0) / warm.length
  const [at, mib] = [mean((item) => item.at), mean((item) => item.mib)]
  const spread = warm.reduce((sum, item) => sum + (item.at - at) ** 2, 0)
  return spread === 0
    ? 0
    : (warm.reduce((sum, item) => sum + (item.at - at) * (item.mib - mib), 0) / spread) * 60_000
}

/** A port that was free a moment ago; a killed server restarts on the same one. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
  })
}
