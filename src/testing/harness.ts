import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import { call } from '../operations/call/index.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Id } from '../kernel/ids.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Module } from '../operations/module.ts'
import { openApp } from '../start.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import type { ProcessRole as DatabaseRole } from '../db/open.ts'
import { modules } from '../modules/index.ts'
import { issueKey } from '../keys/issue.ts'
import { layEmptyDatabase } from './database.ts'
import { addOrganization } from '../identity/organization-creation.ts'
import { type Role, addPerson } from '../identity/people.ts'

/** A clock that tests set manually; it starts on a Friday noon. */
export class HandClock implements Clock {
  at = Date.UTC(2026, 10, 20, 12, 0, 0)
  now(): number {
    return this.at
  }
  #ahead = 0
  #stoppedAt: number | undefined
  monotonic(): number {
    return (this.#stoppedAt ?? performance.now()) + this.#ahead
  }
  /** From now on, durations advance only through `wait`, independent of the machine's speed. */
  stop(): void {
    this.#stoppedAt = performance.now()
  }
  /** Advances both clocks; `pass` advances only the wall clock. */
  wait(milliseconds: number): void {
    this.at += milliseconds
    this.#ahead += milliseconds
  }
  /** Moves on. */
  pass(milliseconds: number): void {
    this.at += milliseconds
  }
}

export const minute = 60_000
export const hour = 60 * minute
export const dayLong = 24 * hour

export type KeyNarrowing = Partial<Omit<NonNullable<Actor['key']>, 'id'>>

/** A person of a test workspace. */
export interface Someone {
  readonly actor: Actor
  readonly id: Id<'users'>
  /** Calls an operation as this person. */
  call<T = any>(
    tool: string,
    args?: Record<string, unknown>,
    more?: { via?: Actor['via']; key?: Actor['key']; idempotencyKey?: string },
  ): Promise<T>
  /** Expects and returns a refusal. */
  refused(tool: string, args?: Record<string, unknown>): Promise<Refusal>
}

export interface TestWorkspace {
  readonly app: App
  readonly clock: HandClock
  readonly dataDir: string
  /** ann is administrator, bob and carol are members, of one organization. eve is administrator of another. */
  readonly ann: Someone
  readonly bob: Someone
  readonly carol: Someone
  readonly eve: Someone
  /** Issues a key to a person; `call(…, { key })` then acts with it. */
  key(owner: Someone, more?: KeyNarrowing): Promise<NonNullable<Actor['key']>>
  person(name: string, more?: { org?: Id<'orgs'>; role?: Role }): Promise<Someone>
  close(): Promise<void>
}

/**
 * A workspace on its own on-disk database, which checks answers against their schemas. `role`: `begin` if a server in
 * another process will open it.
 */
export async function makeWorkspace(
  more: {
    modules?: readonly Module[]
    settings?: Partial<Settings>
    clock?: HandClock
    role?: DatabaseRole
  } = {},
): Promise<TestWorkspace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'workspace-test-'))
  const clock = more.clock ?? new HandClock()
  const keyFile = `${dataDir}.key`
  const laid = await layEmptyDatabase(dataDir)
  const settings = {
    ...readSettings({}, {}),
    master_key_file: keyFile,
    check_answers: true,
    limits: false,
    ...more.settings,
    data: dataDir,
    database: laid.database,
  }
  const app = await openApp({
    settings,
    clock,
    modules: more.modules ?? modules,
    log: silentLog,
    ...(more.role && { role: more.role }),
  })
  app.baseUrl = 'http://workspace.test'
  const acme = await addOrganization(app.store, clock, { name: 'Acme', timezone: 'Europe/Berlin' })
  const other = await addOrganization(app.store, clock, { name: 'Other', timezone: 'UTC' })
  const person = async (name: string, options: { org?: Id<'orgs'>; role?: Role } = {}) => {
    const org = options.org ?? acme
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@${org === acme ? 'acme' : 'other'}.test`
    const id = await addPerson(app.store, clock, {
      org,
      email,
      name,
      role: options.role ?? 'member',
    })
    return someone(app, {
      id,
      org_id: org,
      email,
      display_name: name,
      role: options.role ?? 'member',
      timezone: org === acme ? 'Europe/Berlin' : 'UTC',
      via: 'web',
      key: undefined,
    })
  }
  return {
    app,
    clock,
    dataDir,
    ann: await person('Ann', { role: 'admin' }),
    bob: await person('Bob'),
    carol: await person('Carol'),
    eve: await person('Eve', { org: other, role: 'admin' }),
    person,
    async key(owner, more = {}) {
      const { id, prefix } = await issueKey(app.store, clock, {
        owner: owner.id,
        name: more.name ?? 'test',
        via: 'cli',
        adminGrant: more.admin_grant ?? false,
        holdOutbound: more.hold_outbound ?? false,
      })
      return keyOf({ id, prefix, ...more })
    },
    async close() {
      await app.searchEngine.close()
      await app.store.close()
      await laid.remove()
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(keyFile, { force: true })
    },
  }
}

/** A key for calls; its id is that of an issued key, because the call log refers to it. */
export function keyOf(
  more: Partial<NonNullable<Actor['key']>> & { id: Id<'api_keys'> },
): NonNullable<Actor['key']> {
  return {
    name: 'test',
    prefix: 'svc_testtest…',
    read_only: false,
    toolsets: undefined,
    admin_grant: false,
    expires_at: null,
    hold_outbound: false,
    ...more,
  }
}

function someone(app: App, actor: Actor): Someone {
  return {
    actor,
    id: actor.id,
    async call(tool, args = {}, more = {}) {
      const as = { ...actor, via: more.via ?? actor.via, key: more.key }
      const request = {
        tool,
        args: structuredClone(args),
        transport: 'web' as const,
        requestId: randomUUID(),
        route: 'test',
        ip: '127.0.0.1',
        idempotencyKey: more.idempotencyKey,
      }
      return (await call(app, as, request)).value as never
    },
    async refused(tool, args = {}) {
      try {
        await this.call(tool, args)
      } catch (error) {
        if (error instanceof Refusal) return error
        throw error
      }
      throw new Error(`${tool} was expected to be refused, and was not.`)
    },
  }
}

const silentLog = {
  info() {},
  warn() {},
  error(message: string, more: Record<string, unknown> = {}) {
    console.error(message, more) // a bug that a test ran into must be seen
  },
}
