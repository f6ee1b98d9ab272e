import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { LeftOutCounter } from '../../../kernel/left-out.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dateOrderOfZone, type DateOrder } from '../../../kernel/time/date-orders.ts'
import { organization } from '../../directory/access.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { ItemRef, LeftOutKinds } from '../../../records/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { JobHandle, presentHandle } from '../../system/shapes.ts'
import { task } from '../access.ts'
import { importedTasks, startTaskImport } from './access.ts'
import { readTaskFile } from './reader.ts'
import { taskImportJob, batchSize, type TaskImportProgress } from './jobs.ts'
import {
  addWarnings,
  blockedOf,
  importLinks,
  maxListed,
  newReport,
  addImportOutcomes,
} from './report.ts'
import { importFormats, type ParsedTasks, type TaskRecord } from './records.ts'
import { isLocalRef } from './relations.ts'
import { parentsFirst, NameMap, TaskImport, type ImportOptions } from './writer.ts'

/** Larger imports are written by a job, because all other writers would have to wait. */
const maxWithoutJob = 200
const previewSize = 10

const ImportResult = shape('TaskImportResult', {
  format: z.enum(importFormats),
  records: z.int(),
  counts: z
    .strictObject({ created: z.int(), skipped: z.int() })
    .describe('dry run: what would happen; job: so far'),
  created: z.array(ItemRef).describe('the first 100'),
  skipped: z.array(z.strictObject({ line: z.int(), reason: z.string() })).describe('the first 100'),
  warnings: z.array(z.string()).describe('the first 100'),
  left_out: LeftOutKinds,
  columns: z
    .array(z.strictObject({ column: z.string(), field: z.string().nullable() }))
    .optional()
    .describe('CSV: field of each column; null: skipped'),
  statuses: z
    .array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        by: z.enum(['mapping', 'name', 'meaning', 'default']),
        count: z.int(),
      }),
    )
    .describe('mapping of statuses in the file; change it with `statuses`'),
  people: z
    .array(z.strictObject({ name: z.string(), to: z.string().nullable(), count: z.int() }))
    .describe('mapping of assignees; null: unassigned. Change it with `people`'),
  preview: z
    .array(
      z.strictObject({
        line: z.int(),
        title: z.string(),
        status: z.string(),
        priority: z.string().optional(),
        due: z.string().optional(),
        assignees: z.array(z.string()),
        labels: z.array(z.string()),
        parent: z.string().optional(),
        comments: z.int(),
        imported_before: z.boolean(),
      }),
    )
    .optional()
    .describe('dry run: the first 10'),
  dry_run: z.boolean(),
  undo_call_id: z.string().optional(),
  job: JobHandle.optional().describe('large files: the job that imports them'),
})

export const importTasks = operation({
  name: 'import_tasks',
  searchHint:
    'move from jira, migrate from linear, trello board, ' +
    'todoist, load a spreadsheet of tasks, csv import, bring in issues',
  kind: 'write',
  weight: 20,
  rest: 'POST /api/projects/{project_id}/import-tasks',
  about:
    'Import tasks into a project from CSV or a Jira, Linear, Trello or Todoist export; supports a dry run',
  on: { project: project.edit, file: file.see.maybe },
  input: {
    content: secret(z.string().min(1).max(20_000_000))
      .optional()
      .describe('file content as text, instead of file_id'),
    format: z.enum(importFormats).optional().describe('default: detected'),
    mapping: z
      .record(z.string().max(300), z.string().max(40).nullable())
      .optional()
      .describe('CSV: {column: field}; null skips a column'),
    statuses: z
      .record(z.string().max(200), z.string().max(200))
      .optional()
      .describe('{status in the file: status of the project}'),
    people: z
      .record(z.string().max(320), z.string().max(320).nullable())
      .optional()
      .describe('{assignee in the file: person id or email}'),
    source_project: z.string().max(200).optional().describe('only tasks of this project'),
    date_order: z.enum(['dmy', 'mdy']).optional().describe('how to read 03/04/2026'),
  },
  dryRun: true,
  reportsProgress: true,
  startsJob: taskImportJob,
  output: ImportResult,
  async compute({ file: fileRow, content, format, mapping = {}, source_project, date_order }, ctx) {
    return readTaskFile(
      {
        bytes: taskImportBytes(ctx, fileRow, content),
        format,
        mapping,
        dateOrder: date_order,
        defaultOrder: await defaultDateOrder(ctx),
        onlyProject: source_project,
      },
      ctx.actor.id,
    )
  },
  async handle({ project: projectRow, statuses = {}, people = {} }, ctx) {
    const parsed = ctx.prefetched as ParsedTasks
    const options: ImportOptions = { format: parsed.format, statuses, people }
    const names = await NameMap.of(ctx, projectRow.id, options)
    const records = parentsFirst(parsed.records)
    const summary = newReport(parsed)
    const baseReport = omitNullish({
      format: parsed.format,
      records: parsed.records.length + parsed.refused.length,
      columns: parsed.columns ? parsed.columns : undefined,
      ...mappingsOf(records, names),
      dry_run: ctx.dryRun,
    })
    if (ctx.dryRun)
      return { ...baseReport, ...(await importPreview(ctx, projectRow, names, records, summary)) }
    if (records.length > maxWithoutJob) {
      const job = await startJob(ctx, projectRow, options, records, summary)
      return { ...baseReport, ...summary, created: [], job: presentHandle(ctx, job) }
    }
    const importing = new TaskImport(ctx, projectRow, options, names)
    const outcomes = await importing.write(records)
    addImportOutcomes(summary, outcomes)
    addWarnings(
      summary,
      await importing.link(
        await importLinks(ctx, projectRow.id, parsed.format, blockedOf(records, outcomes)),
      ),
    )
    const created = outcomes.flatMap((outcome) => (outcome.row ? [outcome.row] : []))
    return omitNullish({
      ...baseReport,
      ...summary,
      created: created.slice(0, maxListed).map((row) => task.ref(row, ctx.baseUrl)),
      undo_call_id: created.length > 0 ? ctx.callId : undefined,
    })
  },
})

/** Customary date order in the organization's time zone. */
async function defaultDateOrder(ctx: ReadContext): Promise<DateOrder | undefined> {
  const { default_timezone } = await organization
    .visibleTo(ctx)
    .select('orgs.default_timezone')
    .executeTakeFirstOrThrow()
  return dateOrderOfZone(default_timezone)
}

function taskImportBytes(
  ctx: ReadContext,
  fileRow: Row<'files'> | undefined,
  content: string | undefined,
): Uint8Array {
  if (fileRow && content !== undefined)
    throw invalid('content', 'send either file_id or content, not both.')
  if (fileRow) return bytesOf(ctx, fileRow)
  if (content !== undefined) return Buffer.from(content)
  throw invalid(
    'content',
    'nothing to import.',
    'Send content, or the file_id of an uploaded file.',
  )
}

async function startJob(
  ctx: WriteContext,
  projectRow: Row<'projects'>,
  options: ImportOptions,
  records: readonly TaskRecord[],
  summary: Omit<TaskImportProgress, 'undo_call_ids'>,
) {
  const batches = Array.from({ length: Math.ceil(records.length / batchSize) }, (_, i) =>
    records.slice(i * batchSize, (i + 1) * batchSize),
  )
  const progress: TaskImportProgress = { ...summary, undo_call_ids: [] }
  const import_id = await startTaskImport(
    ctx,
    {
      project_id: projectRow.id,
      options_json: JSON.stringify(options),
      result_json: JSON.stringify(progress),
      records: records.length,
    },
    batches,
  )
  return ctx.job(taskImportJob, { import_id }, { uniqueKey: import_id })
}

/** Reports the interpretation of the statuses and people of a file. */
function mappingsOf(records: readonly TaskRecord[], names: NameMap) {
  const statuses = new Map<
    string,
    { from: string; to: string; by: ReturnType<NameMap['status']>['by']; count: number }
  >()
  const people = new Map<string, { name: string; to: string | null; count: number }>()
  for (const record of records) {
    const { row, by } = names.status(record)
    const from = record.status ?? record.section ?? ''
    const id = `${from}\0${row.id}`
    statuses.set(id, {
      from: from.slice(0, 200),
      to: row.name,
      by,
      count: (statuses.get(id)?.count ?? 0) + 1,
    })
    for (const name of record.assignees)
      people.set(name, {
        name: name.slice(0, 320),
        to: names.person(name)?.display_name ?? null,
        count: (people.get(name)?.count ?? 0) + 1,
      })
  }
  return {
    statuses: [...statuses.values()].slice(0, 100),
    people: [...people.values()].slice(0, 200),
  }
}

async function importPreview(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
  names: NameMap,
  records: readonly TaskRecord[],
  summary: Omit<TaskImportProgress, 'undo_call_ids'>,
) {
  const importedIds = await importedTasks(
    ctx,
    projectRow.id,
    summary.format,
    records.flatMap((record) => record.ref ?? []),
  )
  const isKnown = ({ ref }: TaskRecord) => ref !== undefined && importedIds.has(ref)
  const knownRecords = records.filter(isKnown)
  summary.counts.created = records.length - knownRecords.length
  summary.counts.skipped += knownRecords.length
  summary.skipped.push(
    ...knownRecords
      .slice(0, maxListed - summary.skipped.length)
      .map(({ line, ref }) => ({ line, reason: `It was already imported (${ref}).` })),
  )
  const leftOut = new LeftOutCounter(summary.left_out)
  for (const { line } of knownRecords) leftOut.add('It was already imported.', line)
  summary.left_out = leftOut.kinds
  const preview = records.slice(0, previewSize).map((record) =>
    omitNullish({
      line: record.line,
      title: record.title,
      status: names.status(record).row.name,
      priority: record.priority ? record.priority : undefined,
      due: record.due ? record.due : undefined,
      assignees: record.assignees.flatMap((name) => names.person(name)?.display_name ?? []),
      labels: record.labels,
      parent: parentName(record, records),
      comments: record.comments.length,
      imported_before: isKnown(record),
    }),
  )
  const { format: _, ...rest } = summary
  return { ...rest, created: [], preview }
}

/** Name of the parent in the file: its key, else its title. */
function parentName({ parent }: TaskRecord, records: readonly TaskRecord[]): string | undefined {
  if (parent === undefined || !isLocalRef(parent)) return parent
  return records.find((record) => record.ref === parent)?.title
}
