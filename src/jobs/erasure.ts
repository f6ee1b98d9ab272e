import type { Id } from '../kernel/ids.ts'
import { referencesTo, type Reference } from '../db/references.ts'
import type { App } from '../operations/app.ts'
import { allResources } from '../records/resource.ts'

/** Number of rows that may still be erased in the current write job. */
export interface Budget {
  left: number
}

/**
 * Permanently erases a row with everything below it: child rows one by one, for their search texts; the rest
 * cascades. References from elsewhere become null. Inside a writer job.
 * @returns false if the budget ended first: the row still exists, and the next job continues
 */
export async function erase(app: App, table: string, id: string, budget: Budget): Promise<boolean> {
  for (const reference of referencesTo(table)) {
    if (!reference.cascades || reference.table === table) await detach(app, reference, id)
    else if (!(await eraseChildren(app, reference, id, budget))) return false
  }
  if (budget.left-- <= 0) return false
  const { write } = app.store
  await write
    .deleteFrom(table as 'tasks')
    .where('id', '=', id as Id<'tasks'>)
    .execute()
  await write.updateTable('changes').set({ images_json: null }).where('item_id', '=', id).execute() // images kept for undo contain the erased texts
  await app.search.remove(write, id)
  return true
}

/** Subtasks and the like outlive their parent, unless they are in the trash themselves: then their own days count. */
async function detach(app: App, { table, column }: Reference, id: string): Promise<void> {
  await app.store.write
    .updateTable(table as 'tasks')
    .set({ [column]: null })
    .where(column as 'parent_id', '=', id as Id<'tasks'>)
    .execute()
}

async function eraseChildren(
  app: App,
  { table, column }: Reference,
  id: string,
  budget: Budget,
): Promise<boolean> {
  if (!allResources().some((resource) => resource.table === table)) return true
  const children = await app.store.write
    .selectFrom(table as 'tasks')
    .select('id')
    .where(column as 'parent_id', '=', id as Id<'tasks'>)
    .limit(Math.max(1, budget.left + 1))
    .execute()
  for (const row of children) if (!(await erase(app, table, row.id, budget))) return false
  return true
}
