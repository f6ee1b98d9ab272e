// Imports that a job processes: the content to import, and the progress.
import type { WriteContext } from '../../../operations/context.ts'
import { type Id, newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ContactImportProgress } from './progress.ts'

export async function startContactImport(
  ctx: WriteContext,
  columns: Pick<
    Row<'contact_imports'>,
    'format' | 'mapping_json' | 'on_match' | 'content' | 'result_json'
  >,
): Promise<string> {
  const { all, actor, now } = accessScopeOf(ctx)
  const id = newId<'contact_imports'>('cim', now)
  await all
    .insertInto('contact_imports')
    .values({
      ...columns,
      id,
      org_id: actor.org_id,
      owner_id: actor.id,
      done: 0,
      created_at: now,
      finished_at: null,
    })
    .execute()
  return id
}

export async function findContactImport(
  { all }: TickContext,
  id: string,
): Promise<Row<'contact_imports'> | undefined> {
  return all
    .selectFrom('contact_imports')
    .selectAll()
    .where('id', '=', id as Row<'contact_imports'>['id'])
    .executeTakeFirst()
}

/** Runs in the transaction that imports the records, so that each is imported once. */
export async function saveImportProgress(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  done: number,
  result: ContactImportProgress,
): Promise<void> {
  await all
    .updateTable('contact_imports')
    .set({ done, result_json: JSON.stringify(result) })
    .where('id', '=', id as Row<'contact_imports'>['id'])
    .execute()
}

/** Marks an import as finished, and deletes its content. */
export async function finishContactImport({ all, now }: TickContext, id: string): Promise<void> {
  await all
    .updateTable('contact_imports')
    .set({ content: null, finished_at: now })
    .where('id', '=', id as Row<'contact_imports'>['id'])
    .execute()
}

/** Finishes imports whose job ended early: the person was deactivated, or the job failed too often. Returns false: no more work. */
export async function finishAbandonedImports({ all, now }: TickContext): Promise<boolean> {
  const runningImports = all
    .selectFrom('jobs')
    .select('unique_key')
    .where('kind', '=', 'import_contacts')
    .where('finished_at', 'is', null)
    .where('unique_key', 'is not', null)
  await all
    .updateTable('contact_imports')
    .set({ content: null, finished_at: now })
    .where('finished_at', 'is', null)
    .where('id', 'not in', runningImports.$castTo<{ unique_key: Id<'contact_imports'> }>())
    .execute()
  await all
    .deleteFrom('contact_imports')
    .where('finished_at', '<', now - 7 * dayLength)
    .execute()
  return false
}
