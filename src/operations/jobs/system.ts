import { randomUUID } from 'node:crypto'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import { actAsUser } from '../call/index.ts'
import type { CallRequest } from '../call/request.ts'
import type { WriteContext } from '../context.ts'
import type { Id } from '../../kernel/ids.ts'
import { NoRights } from './job.ts'
import type { ActingFor, Tick, TickContext } from './tick.ts'
import { Refusal } from '../../kernel/refusal.ts'

/**
 * Runs work on behalf of a person, in a job of the writer: recorded as their change via automation, and in the call
 * log under the tool's name. Resolves once durable.
 * @throws whatever work throws; then nothing is kept
 */
export async function asPerson<T>(
  app: App,
  personId: string,
  tool: string,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> {
  const later: (() => Promise<void>)[] = []
  const value = await app.store.writer.run(() => actAs(app, personId, tool, work, later))
  await runAll(later)
  return value
}

/** Runs one batch of a tick in a job of the writer; returns whether there is more. */
export function runTick(app: App, tick: Tick): Promise<boolean> {
  return runPiece(app, tick.name, (system) => tick.run(system))
}

/** Determines the person as whom work is done. */
type Standing = (app: App, personId: string) => Promise<Actor>

/** Runs system work in a job of the writer; its changes are recorded under the tool's name. */
export async function runPiece<T>(
  app: App,
  tool: string,
  work: (system: TickContext) => Promise<T>,
  standing: Standing = stewardFor,
): Promise<T> {
  const later: (() => Promise<void>)[] = []
  const system: TickContext = {
    now: app.clock.now(),
    all: app.store.write,
    as: (personId, work, more) => actAs(app, personId, tool, work, later, standing, more),
  }
  const value = await app.store.writer.run(() => work(system))
  await runAll(later)
  return value
}

async function actAs<T>(
  app: App,
  personId: string,
  tool: string,
  work: (ctx: WriteContext) => Promise<T>,
  later: (() => Promise<void>)[],
  standing: Standing = stewardFor,
  { key, cause, via }: ActingFor = {},
): Promise<T> {
  const actor = key ? await withKey(app, personId, key) : await standing(app, personId)
  const acted = await actAsUser(
    app,
    via ? { ...actor, via } : actor,
    { ...systemCallRequest(tool), cause },
    work,
  )
  later.push(acted.runDeferred)
  return acted.value
}

function systemCallRequest(tool: string): CallRequest {
  return { tool, args: {}, transport: 'automation', requestId: randomUUID(), route: tool, ip: '' }
}

async function withKey(app: App, personId: string, key: string): Promise<Actor> {
  const actor = await app.keys.currentActorInJob({
    id: personId as Id<'users'>,
    via: 'automation',
    key: { id: key as Id<'api_keys'> },
  })
  if (!actor) throw new NoRights('The key is no longer valid, or its owner was deactivated.')
  return actor
}

/** The person, or their steward if they were deactivated. */
async function stewardFor(app: App, personId: string): Promise<Actor> {
  const people = app.store.write
    .selectFrom('users')
    .select(['id', 'org_id', 'email', 'display_name', 'role', 'timezone', 'status'])
  const person = await people.where('id', '=', personId as Id<'users'>).executeTakeFirst()
  if (!person) throw new Error(`There is no person ${personId}.`)
  if (person.status === 'active') return actorOf(person)
  const steward = await people
    .where('org_id', '=', person.org_id)
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .executeTakeFirst()
  if (!steward)
    throw new Refusal(
      'permission_denied',
      `${person.display_name} was deactivated, and the organization has no active administrator.`,
    )
  return actorOf(steward)
}

function actorOf({ status: _, ...person }: Omit<Actor, 'via' | 'key'> & { status: string }): Actor {
  return { ...person, via: 'automation', key: undefined }
}

async function runAll(later: readonly (() => Promise<void>)[]): Promise<void> {
  for (const work of later) await work()
}
