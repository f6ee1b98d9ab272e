// Storing, counting and erasing responses. They leave no change images, so erasing one is complete.

import { CompiledQuery, sql } from 'kysely'
import { chunks } from '../../../kernel/chunks.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import type { TaskDraft } from '../../../records/resource-extensions.ts'
import type { Undo } from '../../../records/row-changes.ts'
import type { SearchText } from '../../../records/search-text.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { eraseRunsOfItem } from '../../automations/access.ts'
import { fieldsAtResponse } from './access-versions.ts'
import { formatAnswer, type FileAnswer } from './answers.ts'
import type { FormField } from '../forms/fields.ts'

type Form = Row<'forms'>
type Response = Row<'form_responses'>

/** Characters of a text used by filters and statistics. */
const indexedLength = 200

export function responseValues({
  answers_json,
}: Pick<Response, 'answers_json'>): Record<string, unknown> {
  return JSON.parse(answers_json) as Record<string, unknown>
}

/** Writes the answers of a new response individually, with their files. */
export async function storeAnswers(
  ctx: WriteContext,
  row: Response,
  ownFiles: ReadonlySet<string>,
): Promise<void> {
  const { all } = accessScopeOf(ctx)
  const values = responseValues(row)
  const rows = Object.entries(values).flatMap(([field, value]) =>
    (Array.isArray(value) ? value : [value]).map((item, n) => [
      row.id,
      field,
      n,
      row.org_id,
      row.form_id,
      ...indexColumns(item),
    ]),
  )
  for (const batch of chunks(rows, 200)) {
    await all.executeQuery(
      CompiledQuery.raw(
        `insert into form_answers (response_id, field_id, n, org_id, form_id, text, number) values ${batch.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
        batch.flat(),
      ),
    )
  }
  const files = new Set(
    Object.values(values).flatMap((value) =>
      Array.isArray(value) ? value.flatMap((item) => (isFile(item) ? [item.file_id] : [])) : [],
    ),
  )
  for (const file of files)
    await all
      .insertInto('form_files')
      .values({
        response_id: row.id,
        file_id: file as Id<'files'>,
        org_id: row.org_id,
        own: ownFiles.has(file) ? 1 : 0,
      })
      .execute()
}

function isFile(value: unknown): value is FileAnswer {
  return typeof value === 'object' && value !== null && 'file_id' in value
}

function indexColumns(value: unknown): [text: string | null, number: number | null] {
  if (typeof value === 'number') return [null, value]
  if (typeof value === 'boolean') return [null, value ? 1 : 0]
  return [[...formatAnswer(isFile(value) ? [value] : value)].slice(0, indexedLength).join(''), null]
}

export async function answeredFields(
  viewer: Viewer,
  formId: Id<'forms'>,
): Promise<Map<string, number>> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('form_answers')
    .select((eb) => ['field_id', eb.fn.count<number>('response_id').distinct().as('count')])
    .where('form_id', '=', formId)
    .groupBy('field_id')
    .execute()
  return new Map(rows.map((row) => [row.field_id, row.count]))
}

/** Counts all responses of a form, visible or not, for its limit. */
export async function countResponses(reader: Viewer, formId: Id<'forms'>): Promise<number> {
  const { count } = await accessScopeOf(reader)
    .all.selectFrom('form_responses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('form_id', '=', formId)
    .executeTakeFirstOrThrow()
  return count
}

export async function countByForm(
  viewer: Viewer,
  ids: readonly Id<'forms'>[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('form_responses')
    .select((eb) => ['form_id', eb.fn.countAll<number>().as('count')])
    .where('form_id', 'in', ids)
    .groupBy('form_id')
    .execute()
  return new Map(rows.map((row) => [row.form_id, row.count]))
}

/** The response created from a page's ticket. */
export function responseOfTicket(
  reader: Viewer,
  formId: Id<'forms'>,
  ticket: string,
): Promise<Response | undefined> {
  return accessScopeOf(reader)
    .all.selectFrom('form_responses')
    .selectAll()
    .where('form_id', '=', formId)
    .where('ticket', '=', ticket)
    .executeTakeFirst()
}

/** Counts a view or start of a form; inside a writer job. */
export async function countVisit(
  { all }: Pick<TickContext, 'all'>,
  { id, org_id }: Pick<Form, 'id' | 'org_id'>,
  day: string,
  counter: 'views' | 'started',
): Promise<void> {
  const initialCounts = { views: 0, started: 0, [counter]: 1 }
  await all
    .insertInto('form_days')
    .values({ form_id: id, org_id, day_on: day, ...initialCounts })
    .onConflict((conflict) =>
      conflict
        .columns(['form_id', 'day_on'])
        .doUpdateSet((eb) => ({ [counter]: eb(eb.ref(`form_days.${counter}`), '+', 1) })),
    )
    .execute()
}

/** The same inside a call. */
export function countVisitOf(
  viewer: Viewer,
  form: Pick<Form, 'id' | 'org_id'>,
  day: string,
  counter: 'views' | 'started',
): Promise<void> {
  return countVisit(accessScopeOf(viewer), form, day, counter)
}

/** Records that a response arrived, or that the form's creator was notified; not a change by anyone. */
export async function updateFormTimes(
  reader: Viewer,
  id: Id<'forms'>,
  patch: Partial<Pick<Form, 'last_response_at' | 'told_at'>>,
): Promise<void> {
  await accessScopeOf(reader).all.updateTable('forms').set(patch).where('id', '=', id).execute()
}

const zoneOf = (all: AccessScope['all'], org: Id<'orgs'>) =>
  all.selectFrom('orgs').select('default_timezone').where('id', '=', org).executeTakeFirstOrThrow()

/** An organization's time zone, used to count days. */
export async function zoneOfOrganization(
  all: AccessScope['all'],
  org: Id<'orgs'>,
): Promise<string> {
  return (await zoneOf(all, org)).default_timezone
}

/** Searchable text of a response: its answers, in the container of its form, which determines who may read them. */
export async function responseSearchText(row: Response): Promise<SearchText> {
  const body = Object.values(responseValues(row)).map(formatAnswer).join('\n')
  return {
    title: '',
    body,
    container: row.form_id,
    part: 'item',
    item_id: row.id,
    item_type: 'form_response',
    at: row.created_at,
  }
}

/** Draft of a task from a response, titled after its first text answer and with all answers. */
export async function taskFromResponse(row: Response, scope: AccessScope): Promise<TaskDraft> {
  const { title, ...form } = await scope.all
    .selectFrom('forms')
    .select(['id', 'title', 'fields_json', 'retired_json'])
    .where('id', '=', row.form_id)
    .executeTakeFirstOrThrow()
  const values = responseValues(row)
  const fields = (await fieldsAtResponse(scope.all, form, row)).filter(
    (field) => field.id in values,
  )
  const first =
    fields.find((field) => field.type === 'short_text') ??
    fields.find((field) => field.type === 'long_text')
  return {
    title: first ? `${title}: ${String(values[first.id])}` : title,
    body_markdown: answersMarkdown(fields, values),
    trust: row.trust,
  }
}

/** Questions and answers as Markdown. */
export function answersMarkdown(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
): string {
  return fields
    .map(
      (field) => `**${field.label.replaceAll(/\s+/g, ' ')}**\n\n${formatAnswer(values[field.id])}`,
    )
    .join('\n\n')
}

/**
 * Permanently erases a response: its answers everywhere, its files, and stored results of calls. Items created from
 * it (a task, a contact) stay.
 * @returns the number of erased files
 */
export async function eraseResponse(ctx: Undo, row: Response): Promise<number> {
  const { all } = accessScopeOf(ctx)
  const files = await all
    .selectFrom('form_files')
    .select('file_id')
    .where('response_id', '=', row.id)
    .where('own', '=', 1)
    .execute()
  await eraseDeliveries(ctx, row)
  await ctx.remove('form_responses', row) // with its dependent rows
  await all.deleteFrom('form_files').where('response_id', '=', row.id).execute()
  for (const { file_id } of files) await eraseFile(ctx, file_id)
  await all
    .updateTable('changes')
    .set({ images_json: '[]', fields_json: '[]' })
    .where('item_id', '=', row.id)
    .execute()
  return files.length
}

export async function dropResponse(ctx: Undo, row: Response): Promise<void> {
  await eraseResponse(ctx, row)
}

/** Erases a file of a response, unless it is attached elsewhere by now. */
async function eraseFile(ctx: Undo, id: Id<'files'>): Promise<void> {
  await eraseUnusedFile(accessScopeOf(ctx).all, id)
  await ctx.job('sweep_contents', {}, { uniqueKey: 'erased', whileRunning: 'again' }) // deletes its content after the commit
}

async function eraseUnusedFile(all: AccessScope['all'], id: Id<'files'>): Promise<void> {
  const used = await Promise.all(
    (['task_attachments', 'message_files', 'page_files', 'form_files'] as const).map((table) =>
      all.selectFrom(table).select('file_id').where('file_id', '=', id).limit(1).executeTakeFirst(),
    ),
  )
  if (used.some((item) => item !== undefined)) return
  await all.deleteFrom('files').where('id', '=', id).execute()
  await all
    .updateTable('changes')
    .set({ images_json: '[]', fields_json: '[]' })
    .where('item_id', '=', id)
    .execute()
}

/**
 * Erases results stored for idempotency keys, webhook deliveries, notifications, and data in triggered runs. The call
 * log never contained the answers.
 */
async function eraseDeliveries(ctx: Undo, row: Response): Promise<void> {
  const { all, actor } = accessScopeOf(ctx)
  const calls = all
    .selectFrom('changes')
    .select('changes.call_id')
    .where('changes.item_id', '=', row.id)
  await redactReplays(
    all,
    await all
      .selectFrom('replays')
      .selectAll()
      .where('tool', '=', 'submit_form_response')
      .where('call_id', 'in', calls)
      .execute(),
  )
  await all
    .deleteFrom('notifications')
    .where('org_id', '=', actor.org_id)
    .where('item_id', '=', row.id)
    .execute()
  await all
    .updateTable('webhook_deliveries')
    .set({ payload_json: null })
    .where('org_id', '=', actor.org_id)
    .where(
      'change_seq',
      'in',
      all.selectFrom('changes').select('changes.seq').where('changes.item_id', '=', row.id),
    )
    .execute()
  await eraseRunsOfItem(ctx, row.id)
}

/** Repeating a request does not restore erased data: it returns the same response without answers. */
async function redactReplays(
  all: AccessScope['all'],
  replays: readonly Row<'replays'>[],
): Promise<void> {
  for (const { actor_id, key_id, tool, idempotency_key, answer_json } of replays) {
    const { respondent: _, score: __, ...rest } = JSON.parse(answer_json) as Record<string, unknown>
    await all
      .updateTable('replays')
      .set({ answer_json: JSON.stringify({ ...rest, answers: [] }) })
      .where('actor_id', '=', actor_id)
      .where('key_id', '=', key_id)
      .where('tool', '=', tool)
      .where('idempotency_key', '=', idempotency_key)
      .execute()
  }
}

/** Erases files of responses purged with their forms, at most `limit`; returns the number checked. */
export async function eraseOrphans(
  { all }: Pick<TickContext, 'all'>,
  limit: number,
): Promise<number> {
  const rows = await all
    .selectFrom('form_files')
    .selectAll('form_files')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('form_responses')
            .select('form_responses.id')
            .where(
              'form_responses.id',
              '=',
              sql.ref<Id<'form_responses'>>('form_files.response_id'),
            ),
        ),
      ),
    )
    .limit(limit)
    .execute()
  for (const { response_id, file_id, own } of rows) {
    await all
      .deleteFrom('form_files')
      .where('response_id', '=', response_id)
      .where('file_id', '=', file_id)
      .execute()
    if (own === 1) await eraseUnusedFile(all, file_id)
  }
  return rows.length
}
