import { randomUUID } from 'node:crypto'
import type { Actor } from '../src/kernel/actor.ts'
import type { App } from '../src/operations/app.ts'
import { call } from '../src/operations/call/index.ts'
import { systemClock } from '../src/kernel/time/clock.ts'
import { lineLog } from '../src/kernel/log.ts'
import { readSettings } from '../src/config/settings.ts'
import { openApp } from '../src/start.ts'
import { issueKey } from '../src/keys/issue.ts'
import { addOrganization } from '../src/identity/organization-creation.ts'
import { addPerson } from '../src/identity/people.ts'
import { modules } from '../src/modules/index.ts'
import { deafHost } from '../src/testing/blackbox/things.ts'

/**
 * A new data directory that this process fills through operations. If `administered`, the first person is an
 * administrator.
 */
export class BenchWorkspace {
  readonly app: App
  readonly org: Actor['org_id']
  readonly people: ReadonlyMap<string, Actor>

  private constructor(app: App, org: Actor['org_id'], people: ReadonlyMap<string, Actor>) {
    this.app = app
    this.org = org
    this.people = people
  }

  static async open(
    dataDir: string,
    names: readonly string[],
    administered = false,
  ): Promise<BenchWorkspace> {
    const app = await openApp({
      settings: {
        ...readSettings({}, { WORKSPACE_OUTBOUND_ALLOW: deafHost }),
        data: dataDir,
        limits: false,
      },
      clock: systemClock,
      modules,
      log: lineLog((line) => process.stderr.write(line)),
    })
    app.baseUrl = 'http://bench.test'
    const org = await addOrganization(app.store, systemClock, { name: 'Benchmark' })
    const people = new Map<string, Actor>()
    for (const [i, name] of names.entries()) {
      const role = administered && i === 0 ? 'admin' : 'member'
      const emailAndRole = { email: `${name}@bench.test`, role } as const
      const id = await addPerson(app.store, systemClock, { ...emailAndRole, org, name })
      people.set(name, {
        ...emailAndRole,
        id,
        org_id: org,
        display_name: name,
        timezone: 'UTC',
        via: 'api',
        key: undefined,
      })
    }
    return new BenchWorkspace(app, org, people)
  }

  person(name: string): Actor {
    return this.people.get(name)!
  }

  /** Calls an operation as someone. @throws Refusal */
  async as<T = any>(name: string, tool: string, args: Record<string, unknown>): Promise<T> {
    return (
      await call(this.app, this.person(name), {
        tool,
        args,
        transport: 'rest',
        requestId: randomUUID(),
        route: 'bench',
        ip: '127.0.0.1',
      })
    ).value as T
  }

  /** Creates a key for a person. */
  async key(name: string): Promise<string> {
    return (
      await issueKey(this.app.store, systemClock, {
        owner: this.person(name).id,
        name: 'benchmark',
        via: 'cli',
      })
    ).key
  }

  async close(): Promise<void> {
    await this.app.searchEngine.close()
    await this.app.store.close()
  }
}

/** Runs `work` `count` times, 64 at once, so that calls share transactions. */
export async function many(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < count; i += 64)
    await Promise.all(Array.from({ length: Math.min(64, count - i) }, (_, j) => work(i + j)))
}
