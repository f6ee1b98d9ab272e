import { randomUUID } from 'node:crypto'
import { newCallId } from '../audit/record.ts'
import { redactArguments } from '../audit/redact.ts'
import type { Actor } from '../kernel/actor.ts'
import type { App } from '../operations/app.ts'
import type { Id } from '../kernel/ids.ts'
import { NoRights } from '../operations/jobs/job.ts'
import type { Row } from '../records/resource.ts'

type JobOwnership = Pick<Row<'jobs'>, 'org_id' | 'owner_id' | 'key_id'>

/** Reads the current state of an actor: outside transactions, or in the open one. */
type ReadActor = App['keys']['currentActor']

/** A job's owner with current rights, limited by the key that requested it; undefined if either is no longer valid. */
async function currentOwner(read: ReadActor, job: JobOwnership): Promise<Actor | undefined> {
  if (job.owner_id === null) return undefined
  return read({
    id: job.owner_id,
    via: 'automation',
    key: job.key_id === null ? undefined : { id: job.key_id as Id<'api_keys'> },
  })
}

/**
 * Another person for whom a job acts, or its owner. A job of an organization acts only for its people.
 * @throws NoRights if they may no longer act
 */
export function currentActor(
  { keys }: App,
  job: JobOwnership,
  personId: Id<'users'>,
): Promise<Actor> {
  return requireActor((actor) => keys.currentActor(actor), job, personId)
}

/** The same inside a writer job. */
export function currentActorInJob(
  { keys }: App,
  job: JobOwnership,
  personId: Id<'users'>,
): Promise<Actor> {
  return requireActor((actor) => keys.currentActorInJob(actor), job, personId)
}

async function requireActor(
  read: ReadActor,
  job: JobOwnership,
  personId: Id<'users'>,
): Promise<Actor> {
  const actor = await (personId === job.owner_id
    ? currentOwner(read, job)
    : read({ id: personId, via: 'automation', key: undefined }))
  if (!actor) throw new NoRights(`${personId} no longer has access.`)
  if (job.org_id !== null && actor.org_id !== job.org_id)
    throw new Error(`${personId} belongs to another organization than the job.`)
  return actor
}

/** Whether a job has an owner who may no longer act. */
export function lacksRights({ keys }: App, job: JobOwnership): Promise<boolean> {
  return isWithoutRights((actor) => keys.currentActor(actor), job)
}

async function isWithoutRights(read: ReadActor, job: JobOwnership): Promise<boolean> {
  return job.owner_id !== null && (await currentOwner(read, job)) === undefined
}

export const skippedMessage =
  'skipped_no_rights: its owner was deactivated, or the key that requested it is no longer valid.'

/**
 * Ends a job whose person may no longer act, inside a writer job, and logs it in the call log; returns whether it
 * did.
 */
export async function skipWithoutRights(app: App, job: Row<'jobs'>): Promise<boolean> {
  if (!(await isWithoutRights((actor) => app.keys.currentActorInJob(actor), job))) return false
  const now = app.clock.now()
  await app.store.write
    .updateTable('jobs')
    .set({ state: 'cancelled', lease: null, last_error: skippedMessage, finished_at: now })
    .where('id', '=', job.id)
    .execute()
  await recordSkipped(app, job)
  return true
}

/** The call log entry under the owner's name; inside a writer job. */
export async function recordSkipped(app: App, job: Row<'jobs'>): Promise<void> {
  const now = app.clock.now()
  const args = redactArguments({}, JSON.parse(job.arguments_json))
  await app.callLog.append({
    id: newCallId(now),
    org_id: job.org_id!,
    at: now,
    request_id: randomUUID(),
    actor_id: job.owner_id!,
    key_id: job.key_id as Id<'api_keys'> | null,
    transport: 'automation',
    tool: job.kind.slice(0, 80),
    kind: 'write',
    status: 'denied',
    error_code: 'skipped_no_rights',
    result_count: null,
    changed: 0,
    duration_us: 0,
    idempotency_key: null,
    items: [{ type: 'job', id: job.id }],
    details: { route: 'job', arguments: args, ip: '' },
  })
}
