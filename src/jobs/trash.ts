import { isConstraint } from '../db/database-errors.ts'
import type { App } from '../operations/app.ts'
import { erase } from './erasure.ts'
import { allResources } from '../records/resource.ts'
import { dayLength } from '../kernel/time/times.ts'

const batchSize = 50

/** Rows that could not be erased because they are still referenced; retried after the next start. */
const stuckByApp = new WeakMap<App, Set<string>>()

/** Erases a batch of trash older than its organization's retention; returns whether there is more. */
export async function purgeTrash(app: App): Promise<boolean> {
  const stuckIds = stuckByApp.get(app) ?? new Set()
  stuckByApp.set(app, stuckIds)
  for (const { table, trashable } of allResources()) {
    if (trashable && (await purgeTable(app, table, stuckIds))) return true
  }
  return false
}

async function purgeTable(app: App, table: string, stuckIds: Set<string>): Promise<boolean> {
  let currentId = ''
  try {
    return await app.store.writer.run(async () => {
      const budget = { left: batchSize }
      const due = (await dueRows(app, table, stuckIds.size + batchSize)).filter(
        (id) => !stuckIds.has(id),
      )
      for (const id of due) if (!(await erase(app, table, (currentId = id), budget))) return true
      return due.length > 0
    })
  } catch (error) {
    if (!isConstraint(error)) throw error
    stuckIds.add(currentId)
    app.log.warn('an item in the trash could not be erased', {
      table,
      id: currentId,
      error: (error as Error).message,
    })
    return true
  }
}

/** `deleted_with` is set wherever `deleted_at` is; the condition on it lets the database use the trash index. */
async function dueRows(app: App, name: string, limit: number): Promise<string[]> {
  const table = name as 'tasks' // any trashable one: they all have these columns
  const rows = await app.store.write
    .selectFrom(table)
    .innerJoin('orgs', 'orgs.id', `${table}.org_id`)
    .select(`${table}.id`)
    .where(`${table}.deleted_with`, '>', '')
    .where(`${table}.deleted_at`, 'is not', null)
    .where((eb) =>
      eb(
        `${table}.deleted_at`,
        '<',
        eb(eb.val(app.clock.now()), '-', eb('orgs.trash_days', '*', dayLength)),
      ),
    )
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}
