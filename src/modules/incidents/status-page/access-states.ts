import { omitNullish } from '../../../kernel/present.ts'
import type { Undo } from '../../../records/row-changes.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

// Effects of status updates on their threads and on services. This is internal bookkeeping and not recorded as a change:
// an update stands, or is undone, as a whole.

type Update = Row<'status_updates'>
type Hold = Row<'status_update_services'>
type ServiceId = Id<'services'>
export type IntervalState = Row<'service_intervals'>['state']
export type ServiceState = IntervalState | 'operational'

export interface StateChange {
  id: ServiceId
  from: ServiceState
  to: ServiceState
}

/** A service's state: the newest in force. Operational if there is none. */
function stateBy(holds: readonly Pick<Hold, 'state' | 'since_at'>[]): ServiceState {
  const startedHolds = holds.filter((hold) => hold.since_at !== null)
  return (
    startedHolds.reduce<(typeof startedHolds)[number] | undefined>(
      (newest, item) => (newest && newest.since_at! > item.since_at! ? newest : item),
      undefined,
    )?.state ?? 'operational'
  )
}

/** States in force for services, or scheduled by a maintenance, in the order in which they began. */
function unreleasedHolds(viewer: Viewer, ids: readonly ServiceId[]): Promise<Hold[]> {
  return accessScopeOf(viewer)
    .all.selectFrom('status_update_services')
    .selectAll()
    .where('service_id', 'in', ids)
    .where('released_at', 'is', null)
    .orderBy('since_at')
    .orderBy('update_id')
    .execute()
}

function unreleasedOfThread(reader: Viewer, threadId: Id<'status_updates'>): Promise<Hold[]> {
  return accessScopeOf(reader)
    .all.selectFrom('status_update_services')
    .innerJoin('status_updates', 'status_updates.id', 'status_update_services.update_id')
    .selectAll('status_update_services')
    .where((eb) =>
      eb.or([
        eb('status_updates.id', '=', threadId),
        eb('status_updates.thread_id', '=', threadId),
      ]),
    )
    .where('status_update_services.released_at', 'is', null)
    .execute()
}

async function setHold(
  viewer: Viewer,
  { update_id, service_id }: Hold,
  patch: Partial<Hold>,
): Promise<void> {
  await accessScopeOf(viewer)
    .all.updateTable('status_update_services')
    .set(patch)
    .where('update_id', '=', update_id)
    .where('service_id', '=', service_id)
    .execute()
}

async function setUpdate(
  reader: Viewer,
  { id }: Pick<Update, 'id'>,
  patch: Partial<Update>,
): Promise<void> {
  await accessScopeOf(reader)
    .all.updateTable('status_updates')
    .set(patch)
    .where('id', '=', id)
    .execute()
}

/** Updates services to the states in force; `at`: the time of the change. @returns changed ones */
async function applyStates(
  viewer: Viewer,
  ids: Iterable<ServiceId>,
  at: number,
): Promise<StateChange[]> {
  const services = [...new Set(ids)]
  if (services.length === 0) return []
  const { all } = accessScopeOf(viewer)
  const holds = Map.groupBy(await unreleasedHolds(viewer, services), (row) => row.service_id)
  const open = await all
    .selectFrom('service_intervals')
    .selectAll()
    .where('service_id', 'in', services)
    .where('ends_at', 'is', null)
    .execute()
  const changes: StateChange[] = []
  for (const id of services) {
    const current = open.find((item) => item.service_id === id)
    const change: StateChange = {
      id,
      from: current?.state ?? 'operational',
      to: stateBy(holds.get(id) ?? []),
    }
    if (change.from === change.to) continue
    await switchInterval(viewer, current, change, at)
    changes.push(change)
  }
  return changes
}

/** Ends a service's current interval and starts another. One that started at this moment is dropped. */
async function switchInterval(
  reader: Viewer,
  open: Row<'service_intervals'> | undefined,
  { id, to }: StateChange,
  at: number,
): Promise<void> {
  const { all, actor } = accessScopeOf(reader)
  const openIntervalUpdate =
    open &&
    all
      .updateTable('service_intervals')
      .where('service_id', '=', id)
      .where('starts_at', '=', open.starts_at)
  if (open && open.starts_at >= at)
    await all
      .deleteFrom('service_intervals')
      .where('service_id', '=', id)
      .where('starts_at', '=', open.starts_at)
      .execute()
  else await openIntervalUpdate?.set({ ends_at: at }).execute()
  if (to === 'operational') return
  const startsAt = open && open.starts_at > at ? open.starts_at : at
  const reopened = await all
    .updateTable('service_intervals')
    .set({ ends_at: null })
    .where('service_id', '=', id)
    .where('ends_at', '=', startsAt)
    .where('state', '=', to)
    .executeTakeFirst()
  if (Number(reopened.numUpdatedRows) === 0)
    await all
      .insertInto('service_intervals')
      .values({
        service_id: id,
        starts_at: startsAt,
        org_id: actor.org_id,
        added_at: accessScopeOf(reader).now,
        state: to,
        ends_at: null,
      })
      .execute()
}

export interface UpdateWithStates {
  update: Update
  states: ReadonlyMap<ServiceId, ServiceState>
  /** Previous update in its thread. */
  previous: Update | undefined
}

/**
 * Records an update's states. The thread's earlier states of a service are replaced, and all of them if the thread
 * ends or a maintenance is replanned; "operational" ends every state of the service. A planned maintenance has no
 * effect yet.
 * @returns services whose states changed
 */
export async function recordStates(
  viewer: Viewer,
  { update, states, previous }: UpdateWithStates,
): Promise<StateChange[]> {
  const { all, now } = accessScopeOf(viewer)
  if (previous)
    await setUpdate(
      viewer,
      previous,
      omitNullish({
        latest: 0,
        phase: previous.phase === null ? undefined : 'over',
      }),
    )
  const replacesAll = update.state === 'resolved' || update.state === 'maintenance'
  const previousHolds = previous
    ? (await unreleasedOfThread(viewer, previous.thread_id ?? previous.id)).filter(
        (row) => replacesAll || states.has(row.service_id),
      )
    : []
  const recoveredIds =
    update.phase === 'planned'
      ? []
      : [...states].flatMap(([id, state]) => (state === 'operational' ? [id] : []))
  const endedHolds =
    recoveredIds.length === 0
      ? []
      : (await unreleasedHolds(viewer, recoveredIds)).filter((row) => row.since_at !== null)
  const releasedHolds = [...previousHolds, ...endedHolds]
  for (const row of releasedHolds)
    await setHold(viewer, row, { released_at: now, released_by: update.id })
  for (const [service_id, state] of states) {
    const times = {
      since_at: update.phase === 'planned' ? null : now,
      released_at: update.phase !== 'planned' && state === 'operational' ? now : null,
    }
    await all
      .insertInto('status_update_services')
      .values({
        update_id: update.id,
        service_id,
        org_id: update.org_id,
        added_at: now,
        state,
        ...times,
        released_by: null,
      })
      .execute()
  }
  return applyStates(viewer, [...states.keys(), ...releasedHolds.map((row) => row.service_id)], now)
}

/** Starts or ends a maintenance at its own times. @returns services whose states changed */
export async function advanceMaintenance(reader: Viewer, row: Update): Promise<StateChange[]> {
  const isStart = row.phase === 'planned'
  const at = isStart ? row.starts_at! : row.ends_at!
  await setUpdate(reader, row, { phase: isStart ? 'running' : 'over' })
  const holds = (await unreleasedOfThread(reader, row.thread_id ?? row.id)).filter(
    (item) => item.update_id === row.id,
  )
  for (const hold of holds)
    await setHold(
      reader,
      hold,
      isStart
        ? { since_at: at, released_at: hold.state === 'operational' ? at : null }
        : { released_at: at },
    )
  return applyStates(
    reader,
    holds.map((hold) => hold.service_id),
    at,
  )
}

/**
 * Withdraws an update: its thread returns to the previous one, and services to the states without it.
 * @throws Refusal conflict if the thread continues after it
 */
export async function withdrawUpdate(row: Update, ctx: Undo): Promise<void> {
  const { all } = accessScopeOf(ctx)
  if (row.latest === 0)
    throw new Refusal(
      'conflict',
      `Later updates follow "${row.title}" (${row.state}).`,
      'Undo the calls that published those updates first, or publish another update.',
    )
  const updateHolds = await all
    .selectFrom('status_update_services')
    .selectAll()
    .where('update_id', '=', row.id)
    .execute()
  const released = await all
    .selectFrom('status_update_services')
    .selectAll()
    .where('released_by', '=', row.id)
    .execute()
  for (const item of released) await setHold(ctx, item, { released_at: null, released_by: null })
  await restoreBefore(ctx, row, released)
  await ctx.remove('status_updates', row)
  notifyStateChanges(
    ctx,
    await applyStates(
      ctx,
      [...updateHolds, ...released].map((item) => item.service_id),
      row.published_at,
    ),
  )
}

/** The previous update is the newest of its thread again; a maintenance resumes its former state. */
async function restoreBefore(
  ctx: Undo,
  { thread_id, id, published_at }: Update,
  released: readonly Hold[],
): Promise<void> {
  if (thread_id === null) return
  const { all } = accessScopeOf(ctx)
  const before = await all
    .selectFrom('status_updates')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', thread_id), eb('thread_id', '=', thread_id)]))
    .where('id', '<>', id)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!before) return
  const wasPlanned =
    released.some((row) => row.update_id === before.id && row.since_at === null) ||
    (before.starts_at ?? 0) > published_at
  const phase = phaseAt(before, published_at, wasPlanned)
  await setUpdate(ctx, before, { latest: 1, phase })
}

function phaseAt(
  before: Row<'status_updates'>,
  published_at: number,
  waited: boolean,
): Row<'status_updates'>['phase'] {
  if (before.phase === null) return null
  if (before.ends_at! <= published_at) return 'over'
  return waited ? 'planned' : 'running'
}

/** Notifies followers of the workspace of changed services. */
export function notifyStateChanges(ctx: Undo, changes: readonly StateChange[]): void {
  for (const { id } of changes) ctx.event('service.updated', 'services', { id } as Row<'services'>)
}
