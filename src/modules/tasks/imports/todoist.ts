import { unknownColumn, type LeftOutCounter } from '../../../kernel/left-out.ts'
import { columnKey } from './columns.ts'
import type { CsvRow } from './csv.ts'
import { emptyRecord, readDate, type TaskRecord } from './records.ts'
import { emptyRelations, type RelatedRecord } from './relations.ts'

/** Columns about the interpretation of other columns, or about the display in Todoist. */
const isSetting = /^(date lang|deadline lang|timezone|is collapsed)$/

/**
 * Tasks of a Todoist CSV: section rows precede their tasks, indents mark subtasks, notes follow the task that they
 * belong to.
 */
export function* todoistTasks(
  header: readonly string[],
  rows: readonly CsvRow[],
  leftOut: LeftOutCounter,
): Generator<RelatedRecord> {
  const columnIndex = (name: string) => header.findIndex((item) => columnKey(item) === name)
  const columnIndexes = {
    type: columnIndex('type'),
    content: columnIndex('content'),
    description: columnIndex('description'),
    priority: columnIndex('priority'),
    indent: columnIndex('indent'),
    responsible: columnIndex('responsible'),
    author: columnIndex('author'),
    date: columnIndex('date'),
    deadline: columnIndex('deadline'),
  }
  countUnknownColumns(header, rows, Object.values(columnIndexes), leftOut)
  let section: string | undefined
  let last: RelatedRecord | undefined
  for (const { line, cells } of rows) {
    const cell = (name: keyof typeof columnIndexes) => cells[columnIndexes[name]]?.trim() ?? ''
    switch (cell('type').toLowerCase()) {
      case 'section':
        section = cell('content') || undefined
        break
      case 'note':
        last?.record.comments.push({
          author: todoistPersonOf(cell('author')),
          text: cell('content'),
        })
        break
      case 'task': {
        if (last) yield last
        const relations = { ...emptyRelations(), level: Math.max(1, Number(cell('indent')) || 1) }
        last = { ...taskOf(line, cell, section), relations }
        break
      }
      default:
        if (cell('content'))
          leftOut.add(`rows of the type ${JSON.stringify(cell('type').slice(0, 50))}`, line)
    }
  }
  if (last) yield last
}

function countUnknownColumns(
  header: readonly string[],
  rows: readonly CsvRow[],
  places: readonly number[],
  leftOut: LeftOutCounter,
): void {
  for (const [i, column] of header.entries())
    if (!places.includes(i) && !isSetting.test(columnKey(column)))
      for (const { line, cells } of rows) if (cells[i]) leftOut.add(unknownColumn(column), line)
}

function taskOf(
  line: number,
  cell: (
    name: 'content' | 'description' | 'priority' | 'responsible' | 'date' | 'deadline',
  ) => string,
  section: string | undefined,
): { record: TaskRecord; warnings: string[] } {
  const warnings: string[] = []
  const labels: string[] = []
  const title = cell('content')
    .replaceAll(/(^|\s)@([\p{L}\p{N}_-]{1,60})(?=\s|$)/gu, (_, before: string, label: string) => {
      labels.push(label)
      return before
    })
    .trim()
  const record: TaskRecord = {
    ...emptyRecord(line),
    title: title || cell('content'),
    labels,
    description: cell('description'),
  }
  if (section !== undefined) record.section = section
  const priority = ({ '1': 'urgent', '2': 'high', '3': 'medium' } as const)[cell('priority') as '1']
  if (priority) record.priority = priority
  const responsible = todoistPersonOf(cell('responsible'))
  if (responsible) record.assignees.push(responsible)
  const [dueText, otherDate] = cell('deadline')
    ? [cell('deadline'), cell('date')]
    : [cell('date'), '']
  if (otherDate !== '' && otherDate !== dueText)
    record.description = `${record.description ?? ''}\n\nDate in Todoist: ${otherDate}`.trim()
  const due = dueText === '' ? undefined : readDate(dueText)
  if (due !== undefined) record.due = due
  else if (dueText !== '') {
    warnings.push(
      `Its date ${JSON.stringify(dueText.slice(0, 60))} could not be read; it was added to the description.`,
    )
    record.description = `${record.description ?? ''}\n\nDate in Todoist: ${dueText}`.trim()
  }
  return { record, warnings }
}

/** `Tom Costa (1234567)` */
function todoistPersonOf(text: string): string {
  return text.replace(/\s*\(\d+\)$/, '').trim()
}
