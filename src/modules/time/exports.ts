import type { ReadContext } from '../../operations/context.ts'
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
} from '../../operations/exports/csv-exports.ts'
import type { Cell } from '../../kernel/text/csv.ts'
import { operation } from '../../operations/operation.ts'
import { paged } from '../../records/paging.ts'
import { filterEntries, entryFilterInput, entryFilterParams, type EntryFilter } from './entries.ts'
import { presentEntries, type ListedEntryShape } from './shapes.ts'

const tool = 'download_time_export'

export const exportTimeEntries = operation({
  name: 'export_time_entries',
  searchHint: 'download hours, timesheet as spreadsheet, hours for payroll, invoice hours',
  kind: 'read',
  weight: 20,
  outbound: true,
  reportsProgress: true,
  rest: 'GET /api/time-entries/export',
  about:
    'Time entries as CSV, by the filters of list_time_entries, inline or as a short-lived link',
  on: entryFilterParams,
  input: entryFilterInput,
  output: CsvExport,
  async handle({ person, project, task, ...otherFilters }, ctx) {
    const filter = { ...otherFilters, person: person?.id, project: project?.id, task: task?.id }
    return exportCsv(ctx, await tableOf(ctx, filter), tool, filter)
  },
})

/**
 * Downloads an export that export_time_entries announced; it is built anew from what the person may read at that
 * time.
 */
export const downloadTimeExport = operation({
  name: 'download_time_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/time-exports/{token}',
  about: 'The file that export_time_entries named',
  unlisted: true,
  input: csvToken,
  output: CsvDownload,
  async handle({ token }, ctx) {
    const filter = argsOfLink(ctx, tool, token) as EntryFilter
    return csvFile(ctx, await tableOf(ctx, filter), 'time-entries.csv')
  },
})

const header = [
  'id',
  'spent_on',
  'person',
  'project',
  'task_key',
  'task',
  'duration_minutes',
  'hours',
  'billable',
  'running',
  'note',
  'created_at',
  'url',
]

async function tableOf(ctx: ReadContext, filter: EntryFilter): Promise<Table> {
  const query = await filterEntries(ctx, filter)
  const order = [
    { by: 'time_entries.spent_on', as: 'spent_on', dir: 'asc' },
    { by: 'time_entries.id', as: 'id', dir: 'asc' },
  ] as const
  return {
    header,
    async page(cursor) {
      const rows = query.selectAll('time_entries')
      const page = await paged(rows, order, { limit: rowsPerPage, cursor })
      const entries = await presentEntries(ctx, page.items)
      return tablePage(
        page,
        entries.map(cellsOf),
        entries.flatMap(({ task }) => task ?? []),
      )
    },
  }
}

function cellsOf(entry: ListedEntryShape): Cell[] {
  const { duration_minutes, person, project, task } = entry
  return [
    entry.id,
    entry.spent_on,
    person.title,
    project?.title,
    task?.key,
    task?.title,
    duration_minutes,
    Math.round((duration_minutes / 60) * 100) / 100,
    entry.billable,
    entry.running_since !== undefined,
    entry.note,
    entry.created_at,
    entry.url,
  ]
}
