// Imports that a job works on: records to write, progress, and tasks imported earlier.
import { chunks } from '../../../kernel/chunks.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { newId, type Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { ImportFormat, TaskRecord } from './records.ts'

type ImportRow = Row<'task_imports'>
const batchesPerInsert = 50

/** Stores an import for its job, with the records split into batches. */
export async function startTaskImport(
  ctx: WriteContext,
  values: Pick<ImportRow, 'project_id' | 'options_json' | 'result_json' | 'records'>,
  batches: readonly (readonly TaskRecord[])[],
): Promise<Id<'task_imports'>> {
  const { all, actor, now } = accessScopeOf(ctx)
  const id = newId<'task_imports'>('tim', now)
  await all
    .insertInto('task_imports')
    .values({
      ...values,
      id,
      org_id: actor.org_id,
      owner_id: actor.id,
      key_id: actor.key?.id ?? null,
      done: 0,
      created_at: now,
      finished_at: null,
    })
    .execute()
  const rows = batches.map((records, n) => ({
    import_id: id,
    n,
    org_id: actor.org_id,
    records_json: JSON.stringify(records),
  }))
  for (const batch of chunks(rows, batchesPerInsert))
    await all.insertInto('task_import_pieces').values(batch).execute()
  return id
}

export async function taskImport(
  { all }: Pick<TickContext, 'all'>,
  id: string,
): Promise<ImportRow | undefined> {
  return all
    .selectFrom('task_imports')
    .selectAll()
    .where('id', '=', id as ImportRow['id'])
    .executeTakeFirst()
}

/** The next batch of an import; undefined once all are written. */
export async function batchOf(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  n: number,
): Promise<TaskRecord[] | undefined> {
  const row = await all
    .selectFrom('task_import_pieces')
    .select('records_json')
    .where('import_id', '=', id as ImportRow['id'])
    .where('n', '=', n)
    .executeTakeFirst()
  return row && (JSON.parse(row.records_json) as TaskRecord[])
}

/** Records a written batch, in the same transaction as its tasks, so that each record is written once. */
export async function recordBatch(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  n: number,
  result: object,
): Promise<void> {
  await all
    .updateTable('task_imports')
    .set({ done: n + 1, result_json: JSON.stringify(result) })
    .where('id', '=', id as ImportRow['id'])
    .execute()
  await all
    .deleteFrom('task_import_pieces')
    .where('import_id', '=', id as ImportRow['id'])
    .where('n', '=', n)
    .execute()
}

export async function endTaskImport(
  { all, now }: Pick<TickContext, 'all' | 'now'>,
  id: string,
): Promise<void> {
  await all
    .updateTable('task_imports')
    .set({ finished_at: now })
    .where('id', '=', id as ImportRow['id'])
    .execute()
  await all
    .deleteFrom('task_import_pieces')
    .where('import_id', '=', id as ImportRow['id'])
    .execute()
}

/**
 * Ends imports whose job ended early because the person was deactivated or the job failed too often. Removes old
 * imports.
 */
export async function endLostTaskImports({ all, now }: TickContext): Promise<boolean> {
  const activeJobs = all
    .selectFrom('jobs')
    .select('unique_key')
    .where('kind', '=', 'import_tasks')
    .where('finished_at', 'is', null)
    .where('unique_key', 'is not', null)
  const lost = await all
    .selectFrom('task_imports')
    .select('id')
    .where('finished_at', 'is', null)
    .where('id', 'not in', activeJobs.$castTo<{ unique_key: Id<'task_imports'> }>())
    .execute()
  for (const { id } of lost) await endTaskImport({ all, now }, id)
  await all
    .deleteFrom('task_imports')
    .where('finished_at', '<', now - 7 * dayLength)
    .execute()
  return false
}

/** Tasks of a project that were imported from records with these refs, by ref. Tasks in the trash do not count. */
export async function importedTasks(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  format: ImportFormat,
  refs: readonly string[],
): Promise<Map<string, Id<'tasks'>>> {
  const { all } = accessScopeOf(ctx)
  const idsByRef = new Map<string, Id<'tasks'>>()
  for (const batch of chunks(refs, 500)) {
    const rows = await all
      .selectFrom('task_import_refs as r')
      .innerJoin('tasks as t', 't.id', 'r.task_id')
      .select(['r.ref', 'r.task_id'])
      .where('r.project_id', '=', projectId)
      .where('r.format', '=', format)
      .where('r.ref', 'in', batch)
      .where('t.deleted_at', 'is', null)
      .execute()
    for (const row of rows) idsByRef.set(row.ref, row.task_id as Id<'tasks'>)
  }
  return idsByRef
}

export async function recordImportedTask(
  ctx: WriteContext,
  projectId: Id<'projects'>,
  format: ImportFormat,
  ref: string,
  taskId: Id<'tasks'>,
): Promise<void> {
  const { all, actor } = accessScopeOf(ctx)
  await all
    .insertInto('task_import_refs')
    .values({ project_id: projectId, format, ref, org_id: actor.org_id, task_id: taskId })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'format', 'ref']).doUpdateSet({ task_id: taskId }),
    )
    .execute()
}
