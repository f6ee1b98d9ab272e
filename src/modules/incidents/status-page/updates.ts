import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { datetime, markdown, title } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { oneLine } from '../../../kernel/text/markdown.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, parseInstant } from '../../../kernel/time/times.ts'
import { Ref } from '../../../records/shapes.ts'
import { incident, service } from '../access.ts'
import { openUpdates, statusUpdate, type ServiceState } from './access.ts'
import { recordStates, notifyStateChanges, type StateChange } from './access-states.ts'
import { serviceRef, serviceStateEnum, StatusUpdate } from '../shapes.ts'
import { isActive } from '../incidents/states.ts'
import { presentUpdates } from './presenter.ts'
import { requireForward, isThreadOpen, updateStates } from './threads.ts'
import { addTimelineEntry } from '../incidents/timeline.ts'
import { notifyResponders } from '../incidents/transitions.ts'

type Update = Row<'status_updates'>
type Incident = Row<'incidents'>

const maxServices = 100
const maxMaintenanceMs = 60 * dayLength

const PublishedUpdate = StatusUpdate.extend({
  services: z
    .array(z.strictObject({ service: Ref, from: serviceStateEnum, to: serviceStateEnum }))
    .describe('whose states it changed'),
  dry_run: z.boolean(),
})

export const publishStatusUpdate = operation({
  name: 'publish_status_update',
  searchHint: 'tell customers about an outage, maintenance notice, public announcement, degraded',
  atomicUndo: true,
  kind: 'destructive',
  rest: 'POST /api/status-updates',
  creates: 'item',
  about: 'Post an update to the public status page and set service states',
  on: {
    incident: incident.edit.maybe.describe('continues its thread of updates; never shown publicly'),
  },
  input: {
    title: title().describe(
      'without incident_id, continues the open thread with this title or starts one',
    ),
    body_markdown: markdown().regex(/\S/, 'must not be blank').max(50_000),
    state: z
      .enum(updateStates)
      .describe(
        'investigating, identified, monitoring, resolved: forward only. maintenance: planned, running and over by its times; send the same title to change them, or to end it with resolved',
      ),
    service_states: z
      .record(z.string().min(1).max(200), serviceStateEnum)
      .optional()
      .describe(
        'states by service id or name; maintenance states apply from start to end. resolved: unlisted services return to the state that otherwise applies',
      ),
    starts_at: datetime().optional().describe('for maintenance; default: now'),
    ends_at: datetime().optional().describe('required for a maintenance'),
  },
  output: PublishedUpdate,
  dryRun: true,
  outbound: true,
  async handle(
    { incident, title: name, body_markdown, state, service_states = {}, starts_at, ends_at },
    ctx,
  ) {
    if (ctx.actor.role === 'guest') throw denied('Guests cannot publish status updates.')
    const states = await statesByServiceId(ctx, service_states)
    const times = maintenanceTimes(ctx, state, starts_at, ends_at)
    const previous = await threadOf(ctx, { title: oneLine(name), state, incident })
    const update = await ctx.add('status_updates', {
      title: oneLine(name),
      body_markdown,
      state,
      ...times,
      incident_id: incident?.id ?? previous?.incident_id ?? null,
      thread_id: previous ? (previous.thread_id ?? previous.id) : null,
      latest: 1,
      published_at: ctx.now,
    })
    const changes = await recordStates(ctx, { update, states, previous })
    notifyStateChanges(ctx, changes)
    await announce(ctx, update)
    const [shape] = await presentUpdates(ctx, [update])
    return { ...shape!, services: await presentChanges(ctx, changes), dry_run: ctx.dryRun }
  },
})

/** @throws Refusal if a name matches no service, or two names the same one */
async function statesByServiceId(
  ctx: ReadContext,
  statesByName: Readonly<Record<string, ServiceState>>,
): Promise<Map<Id<'services'>, ServiceState>> {
  if (Object.keys(statesByName).length > maxServices)
    throw invalid('service_states', `at most ${maxServices} services are allowed.`)
  const states = new Map<Id<'services'>, ServiceState>()
  for (const [text, state] of Object.entries(statesByName)) {
    const { id, name } = await service.demand(ctx, text, 'see', `service_states.${text}`)
    if (states.has(id)) throw invalid('service_states', `the service ${name} appears twice.`)
    states.set(id, state)
  }
  return states
}

type Times = Pick<Update, 'starts_at' | 'ends_at' | 'phase'>

function maintenanceTimes(
  ctx: ReadContext,
  state: Update['state'],
  starts: string | undefined,
  ends: string | undefined,
): Times {
  if (state !== 'maintenance') {
    if (starts !== undefined || ends !== undefined)
      throw invalid(
        starts === undefined ? 'ends_at' : 'starts_at',
        'only a maintenance has times.',
        'Send state maintenance, or leave it out.',
      )
    return { starts_at: null, ends_at: null, phase: null }
  }
  if (ends === undefined) throw invalid('ends_at', 'a maintenance requires an end time.')
  const starts_at =
    starts === undefined ? ctx.now : parseInstant(starts, ctx.actor.timezone, 'start', 'starts_at')
  const ends_at = parseInstant(ends, ctx.actor.timezone, 'end', 'ends_at')
  if (ends_at <= starts_at) throw invalid('ends_at', 'a maintenance must end after it starts.')
  if (ends_at <= ctx.now)
    throw invalid(
      'ends_at',
      'this maintenance is already over.',
      'The status page shows only planned and current maintenance.',
    )
  if (ends_at - starts_at > maxMaintenanceMs)
    throw invalid('ends_at', 'a maintenance can last at most 60 days.')
  return { starts_at, ends_at, phase: starts_at <= ctx.now ? 'running' : 'planned' }
}

/**
 * The newest update of the thread to continue. An incident's thread continues after it was resolved, unless the
 * incident is being worked on again: then a new one starts.
 * @throws Refusal conflict if the thread would go back
 */
async function threadOf(
  ctx: ReadContext,
  {
    title: name,
    state,
    incident,
  }: { title: string; state: Update['state']; incident: Incident | undefined },
): Promise<Update | undefined> {
  const incidentUpdate =
    incident && state !== 'maintenance' ? await newestUpdateOf(ctx, incident) : undefined
  if (
    incidentUpdate &&
    (isThreadOpen(incidentUpdate, ctx.now) || state === 'resolved' || !isActive(incident!))
  ) {
    requireForward(incidentUpdate, state)
    return incidentUpdate
  }
  const open = (
    await openUpdates(ctx)
      .selectAll('status_updates')
      .orderBy('status_updates.published_at', 'desc')
      .execute()
  ).filter((row) => row.title.toLowerCase() === name.toLowerCase())
  const thread = open.find((item) =>
    item.state === 'maintenance'
      ? state === 'maintenance' || state === 'resolved'
      : state !== 'maintenance' && (!incident || item.incident_id === null),
  )
  if (thread) requireForward(thread, state)
  return thread
}

function newestUpdateOf(ctx: ReadContext, { id }: Incident): Promise<Update | undefined> {
  return statusUpdate
    .visibleTo(ctx)
    .selectAll('status_updates')
    .where('status_updates.incident_id', '=', id)
    .where('status_updates.latest', '=', 1)
    .where('status_updates.phase', 'is', null)
    .orderBy('status_updates.published_at', 'desc')
    .orderBy('status_updates.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Adds an update to its incident's timeline if the caller has access, and notifies role holders. */
async function announce(ctx: WriteContext, update: Update): Promise<void> {
  ctx.event('status_update.published', 'status_updates', update)
  const incidentRow =
    update.incident_id === null
      ? undefined
      : (await incident.among(ctx, [update.incident_id])).get(update.incident_id)
  if (!incidentRow) return
  await addTimelineEntry(ctx, incidentRow, {
    kind: 'update',
    text: `**${update.title}** (${update.state}): ${update.body_markdown}`,
    to: update.state,
  })
  await notifyResponders(
    ctx,
    incidentRow,
    `${ctx.actor.display_name} published a status update on ${incidentRow.key}: ${update.state}`,
  )
}

async function presentChanges(
  ctx: ReadContext,
  changes: readonly StateChange[],
): Promise<z.infer<typeof PublishedUpdate>['services']> {
  const rows = await service.among(
    ctx,
    changes.map((change) => change.id),
  )
  return changes.flatMap(({ id, from, to }) =>
    rows.has(id) ? [{ service: serviceRef(rows.get(id)!), from, to }] : [],
  )
}
