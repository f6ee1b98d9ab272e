import { sql } from 'kysely'
import type { Tick, TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { stepRetentionMs } from './access-steps.ts'
import { writeLiveVersion } from './steps.ts'

/** Live changes become a version after a pause of this length, or this long after their start. */
const pauseMs = 20_000
const maxStretchMs = 120_000
const stepsPerRun = 500

/** Creates versions from live changes. */
export const versionsTick: Tick = {
  name: 'write_live_versions',
  async run(system) {
    const row = await quietPage(system)
    if (!row) return false
    await system.as(await mainAuthor(system, row), (ctx) => writeLiveVersion(ctx, row), {
      via: 'web',
    })
    return true
  },
}

/** Deletes the steps of old versions. */
export const stepsTick: Tick = {
  name: 'remove_old_page_steps',
  async run({ all, now }) {
    const old = await all
      .selectFrom('page_steps')
      .select(['page_id', 'revision'])
      .where('created_at', '<', now - stepRetentionMs)
      .where('revision', '<=', (eb) =>
        eb
          .selectFrom('page_versions')
          .select(sql<number>`coalesce(max(page_versions.page_revision), 0)`.as('revision'))
          .whereRef('page_versions.page_id', '=', 'page_steps.page_id')
          .where('page_versions.created_at', '<', now - stepRetentionMs),
      )
      .limit(stepsPerRun)
      .execute()
    for (const { page_id, revision } of old)
      await all
        .deleteFrom('page_steps')
        .where('page_id', '=', page_id)
        .where('revision', '=', revision)
        .execute()
    return old.length === stepsPerRun
  },
}

function quietPage({ all, now }: TickContext): Promise<Row<'pages'> | undefined> {
  return all
    .selectFrom('pages')
    .selectAll()
    .where('live_since', 'is not', null)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([eb('live_at', '<=', now - pauseMs), eb('live_since', '<=', now - maxStretchMs)]),
    )
    .orderBy('live_since')
    .executeTakeFirst()
}

/** The person who wrote most in the steps after a page's version. */
async function mainAuthor({ all }: TickContext, row: Row<'pages'>): Promise<string> {
  const author = await all
    .selectFrom('page_steps')
    .select('created_by')
    .where('page_id', '=', row.id)
    .where('revision', '>', row.live_from ?? row.revision)
    .groupBy('created_by')
    .orderBy(sql`sum(length(page_steps.content))`, 'desc')
    .orderBy('created_by')
    .executeTakeFirst()
  return author?.created_by ?? row.owner_id
}
