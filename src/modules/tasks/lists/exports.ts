import type { ReadContext } from '../../../operations/context.ts'
import {
  argsOfLink,
  CsvDownload,
  CsvExport,
  csvFile,
  csvToken,
  exportCsv,
  rowsPerPage,
  type Table,
  tablePage,
} from '../../../operations/exports/csv-exports.ts'
import { joinValues, type Cell } from '../../../kernel/text/csv.ts'
import { operation } from '../../../operations/operation.ts'
import type { Row } from '../../../records/resource.ts'
import { customField } from '../../portfolio/access.ts'
import { readFilterObject, taskFilters } from './filters.ts'
import { listPage } from './pages.ts'
import { presentTasks, type ListedTaskShape } from '../shapes.ts'

const tool = 'download_task_export'

export const exportTasks = operation({
  name: 'export_tasks',
  searchHint: 'download tasks, spreadsheet of tasks, excel, take tasks out, backup of issues',
  kind: 'read',
  weight: 20,
  outbound: true,
  reportsProgress: true,
  rest: 'GET /api/tasks/export',
  about: 'Tasks as CSV, by the filters of list_tasks, inline or as a short-lived link',
  on: taskFilters.on,
  input: taskFilters.input,
  output: CsvExport,
  async handle(filters, ctx) {
    const filter = taskFilters.toObject(filters)
    return exportCsv(ctx, await tableOf(ctx, filter), tool, filter)
  },
})

/** Downloads an export that export_tasks announced; it is built anew from what the person may read at that time. */
export const downloadTaskExport = operation({
  name: 'download_task_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/task-exports/{token}',
  about: 'The file that export_tasks named',
  unlisted: true,
  input: csvToken,
  output: CsvDownload,
  async handle({ token }, ctx) {
    const filter = taskFilters.object.parse(argsOfLink(ctx, tool, token))
    return csvFile(ctx, await tableOf(ctx, filter), 'tasks.csv')
  },
})

const header = [
  'key',
  'title',
  'project',
  'status',
  'status_category',
  'priority',
  'assignees',
  'labels',
  'due_at',
  'start_at',
  'completed_at',
  'estimate_minutes',
  'points',
  'time_spent_minutes',
  'parent',
  'blocked_by',
  'sprint',
  'milestone',
  'created_by',
  'created_at',
  'updated_at',
  'url',
  'description',
  'delegate',
]

/**
 * Oldest first, so that new tasks do not shift the pages. Custom fields become columns if the export covers one
 * project.
 */
async function tableOf(ctx: ReadContext, filterObject: Record<string, unknown>): Promise<Table> {
  const filter = await readFilterObject(ctx, filterObject)
  const fields = await exportedFieldNames(ctx, filter.project)
  const listRequest = { filter, sort: 'created_at', dir: 'asc', body: true } as const
  return {
    header: [...header, ...(fields ?? ['custom_fields'])],
    async page(cursor) {
      const page = await listPage(ctx, listRequest, { limit: rowsPerPage, cursor })
      const shapes = await presentTasks(ctx, page.items, { body: true })
      const rows = shapes.map((shape) => [...cellsOf(shape), ...fieldCells(shape, fields)])
      return tablePage(page, rows, shapes)
    },
  }
}

async function exportedFieldNames(
  ctx: ReadContext,
  project: Row<'projects'>['id'] | undefined,
): Promise<string[] | undefined> {
  if (project === undefined) return undefined
  const rows = await customField
    .visibleTo(ctx)
    .select('custom_fields.name')
    .where('custom_fields.project_id', '=', project)
    .where('custom_fields.retired', '=', 0)
    .orderBy('custom_fields.id')
    .execute()
  return rows.map((row) => row.name)
}

function cellsOf(task: ListedTaskShape): Cell[] {
  const titles = (refs: readonly { title: string }[]) => joinValues(refs.map((ref) => ref.title))
  return [
    task.key,
    task.title,
    task.project.title,
    task.status,
    task.status_category,
    task.priority,
    titles(task.assignees),
    titles(task.labels),
    task.due_on ?? task.due_at, // a day is one in every time zone
    task.start_on ?? task.start_at,
    task.completed_at,
    task.estimate_minutes,
    task.points,
    task.time_spent_minutes,
    task.parent?.key,
    joinValues(task.blocked_by.flatMap((ref) => ref.key ?? [])),
    task.sprint?.title,
    task.milestone?.title,
    task.created_by?.title,
    task.created_at,
    task.updated_at,
    task.url,
    task.description_markdown,
    delegateCell(task),
  ]
}

function delegateCell({ delegate }: ListedTaskShape): Cell {
  return delegate && (delegate.title ?? `key of ${delegate.owner.title}`)
}

function fieldCells(
  { custom_fields }: ListedTaskShape,
  names: readonly string[] | undefined,
): Cell[] {
  const isEmpty = Object.keys(custom_fields).length === 0
  if (names === undefined) return [isEmpty ? '' : JSON.stringify(custom_fields)]
  return names.map((name) => fieldCell(custom_fields[name]))
}

function fieldCell(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return joinValues(value.map(String))
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value)
}
