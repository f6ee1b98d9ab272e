import type { Id } from '../kernel/ids.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { removeKeys } from '../audit/redact.ts'
import type { App } from '../operations/app.ts'
import { replayTime } from '../operations/call/replays.ts'
import { runTick } from '../operations/jobs/system.ts'
import { expireIdleKeys } from './idle-keys.ts'
import { recordClient } from './key-clients.ts'
import { purgeTrash } from './trash.ts'

const useRecordInterval = 10_000
const tickInterval = 60_000
const firstTickDelay = 2_000 // the first requests have priority
const maxPieces = 2_000
const followDelay = 30 // commits that come close together are followed together

/**
 * Runs periodic work while the server runs: records the use of keys, runs the ticks of all modules, expires stored
 * answers of idempotency keys, erases old trash. A failure is logged and stops nothing.
 * @returns a function that stops it and waits for running work
 */
export function startTicks(app: App): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const warned = new Set<string>()
  const loops = [
    repeat(useRecordInterval, useRecordInterval, signal, () =>
      loggingErrors(app, 'uses of keys', () => recordKeyUses(app)),
    ),
    repeat(firstTickDelay, tickInterval, signal, () => runTicks(app, signal, warned)),
  ]
  const unfollow = followChanges(app, signal)
  return async () => {
    ending.abort()
    await Promise.all([...loops, unfollow()])
    await loggingErrors(app, 'uses of keys', () => recordKeyUses(app))
  }
}

/** Runs all work that is due now, each to completion. `warned` remembers the keys already named in the log. */
export async function runTicks(
  app: App,
  signal?: AbortSignal,
  warned = new Set<string>(),
): Promise<void> {
  const ticks = app.catalogue.modules.flatMap((module) => module.ticks ?? [])
  for (const tick of ticks)
    await loggingErrors(app, tick.name, () => drain(() => runTick(app, tick), signal))
  await loggingErrors(app, 'replays', () => drain(() => expireReplays(app), signal))
  if (!app.mayErase()) return // after a clock jump, everything would seem expired at once
  await loggingErrors(app, 'idle keys', () => expireIdleKeys(app, warned))
  if (app.settings.trash_purge)
    await loggingErrors(app, 'trash', () => drain(() => purgeTrash(app), signal))
}

/** Runs change-driven ticks soon after each commit. Returns a function that stops it and waits for running work. */
export function followChanges(app: App, signal: AbortSignal): () => Promise<void> {
  const ticks = app.catalogue.modules
    .flatMap((module) => module.ticks ?? [])
    .filter((tick) => tick.due)
  let round: Promise<void> | undefined
  let isPending = false
  const runRounds = async () => {
    do {
      await pause(followDelay, undefined, { signal, ref: false }).catch(() => {})
      isPending = false
      for (const tick of signal.aborted ? [] : ticks) {
        await loggingErrors(
          app,
          tick.name,
          async () =>
            void (
              (await tick.due!(app.store.read)) && (await drain(() => runTick(app, tick), signal))
            ),
        )
      }
    } while (isPending && !signal.aborted)
    round = undefined
  }
  const follow = () => {
    isPending = true
    round ??= runRounds()
  }
  const unwatch = ticks.length > 0 ? app.live.watch(follow) : () => {}
  if (ticks.length > 0) follow() // for the last commits of an earlier process
  return async () => {
    unwatch()
    await round
  }
}

/** Records time, address and program of the keys' last use. */
export async function recordKeyUses(app: App): Promise<void> {
  const uses = app.keys.takeUses()
  if (uses.length === 0) return
  await app.store.writer.run(async () => {
    for (const { id, at, ip, client } of uses) {
      if (client !== undefined)
        await recordClient(
          app.store.write,
          app.clock.now(),
          id as Id<'api_keys'>,
          removeKeys(client),
        )
      await app.store.write
        .updateTable('api_keys')
        .set({
          last_used_at: at,
          last_ip: ip,
          last_client: client === undefined ? null : removeKeys(client),
        })
        .where('id', '=', id as Id<'api_keys'>)
        .execute()
    }
  })
}

async function expireReplays(app: App): Promise<boolean> {
  const { writer, write } = app.store
  const old = write
    .selectFrom('replays')
    .select(['actor_id', 'key_id', 'tool', 'idempotency_key'])
    .where('created_at', '<=', app.clock.now() - replayTime)
    .orderBy('created_at')
    .limit(100)
  return writer.run(async () => {
    const rows = await old.execute()
    for (const row of rows) {
      await write
        .deleteFrom('replays')
        .where('actor_id', '=', row.actor_id)
        .where('key_id', '=', row.key_id)
        .where('tool', '=', row.tool)
        .where('idempotency_key', '=', row.idempotency_key)
        .execute()
    }
    return rows.length > 0
  })
}

async function drain(
  runUnit: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let i = 0; i < maxPieces && !signal?.aborted; i++) if (!(await runUnit())) return
}

async function loggingErrors(app: App, activity: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    app.log.error('work that came due failed', {
      what: activity,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
  }
}

async function repeat(
  first: number,
  interval: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let wait = first; !signal.aborted; wait = interval) {
    await pause(wait, undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
    if (!signal.aborted) await work()
  }
}
