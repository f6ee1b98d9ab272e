import type { ImportFormat } from './records.ts'

// Maps columns of CSV files to task fields: those of Jira, Linear and Todoist, and any others with recognizable names.

export const taskFields = [
  'title',
  'description',
  'status',
  'category',
  'priority',
  'assignees',
  'labels',
  'due',
  'start',
  'estimate',
  'points',
  'parent',
  'blocked_by',
  'blocks',
  'comments',
  'project',
  'ref',
  'id',
  'outline',
  'level',
  'section',
  'url',
] as const
export type TaskField = (typeof taskFields)[number]

/** The field of each column; undefined if it is skipped. */
export type Columns = (TaskField | undefined)[]

/** Detects the program that wrote a header. */
export function formatOfHeader(header: readonly string[]): Exclude<ImportFormat, 'trello'> {
  const has = (...names: string[]) =>
    names.every((name) => header.some((item) => item.trim().toLowerCase() === name))
  if (has('issue key', 'summary')) return 'jira'
  if (has('id', 'team', 'title', 'status', 'creator')) return 'linear'
  if (has('type', 'content', 'indent')) return 'todoist'
  return 'csv'
}

const parentColumn =
  /^parent([ -](key|id|task|task id|task key|task name|issue|issue id|issue key|item|work item|card|title|name))?$|^(epic link|ubergeordnete[rs]? (aufgabe|element|vorgang|ticket))$/

const commonNames: [RegExp, TaskField][] = [
  [/^(title|name|task|task name|card name|summary|subject|aufgabe|titel)$/, 'title'],
  [
    /^(description|description markdown|card description|notes?|details|body|beschreibung|notizen?)$/,
    'description',
  ],
  [/^(status|state|column|list|list name|spalte)$/, 'status'],
  [/^(status category)$/, 'category'],
  [/^(priority|prioritat|prio)$/, 'priority'],
  [
    /^(assignees?|assign|assigned to|owner|members|responsible|zustandig|verantwortlich)$/,
    'assignees',
  ],
  [/^(labels?|tags?|categories)$/, 'labels'],
  [/^(due|due date|due on|due at|deadline|fallig|fallig am|frist)$/, 'due'],
  [/^(start|start date|start on|start at|begin|beginn)$/, 'start'],
  [/^(estimate minutes|estimate in minutes)$/, 'estimate'],
  [/^(points|story points|estimate)$/, 'points'],
  [parentColumn, 'parent'],
  [/^(blocked by|blocked by \(dependencies\))$/, 'blocked_by'],
  [/^(project|project name|board name|projekt)$/, 'project'],
  [/^(key|id|ref|issue key|task id|card id)$/, 'ref'],
  [/^(issue id|unique id|uuid|number|task number|#)$/, 'id'],
  [/^(outline number|wbs|gliederungsnummer)$/, 'outline'],
  [/^(indent|indent level|outline level|gliederungsebene)$/, 'level'],
  [/^(section|section\/column|group|bucket|bucket name)$/, 'section'],
  [/^(url|card url|link)$/, 'url'],
]

/** Names that are used only if no other column has the field. */
const fallbackNames: [RegExp, TaskField][] = [
  [/^progress$/, 'status'],
  [/^finish( date)?$/, 'due'],
]

const jira: [RegExp, TaskField][] = [
  [/^summary$/, 'title'],
  [/^description$/, 'description'],
  [/^status$/, 'status'],
  [/^status category$/, 'category'],
  [/^priority$/, 'priority'],
  [/^assignee$/, 'assignees'],
  [/^labels$/, 'labels'],
  [/^due date$/, 'due'],
  [/^(custom field \(start date\)|start date)$/, 'start'],
  [/^(story points?|custom field \(story points?( estimate)?\))$/, 'points'],
  [/^original estimate$/, 'estimate'],
  [/^(parent key|parent id|parent|custom field \(epic link\)|epic link)$/, 'parent'],
  [/^inward issue link \(blocks\)$/, 'blocked_by'],
  [/^outward issue link \(blocks\)$/, 'blocks'],
  [/^comments?$/, 'comments'],
  [/^project name$/, 'project'],
  [/^issue key$/, 'ref'],
  [/^issue id$/, 'id'],
]

const linear: [RegExp, TaskField][] = [
  [/^title$/, 'title'],
  [/^description$/, 'description'],
  [/^status$/, 'status'],
  [/^priority$/, 'priority'],
  [/^assignee$/, 'assignees'],
  [/^labels$/, 'labels'],
  [/^due date$/, 'due'],
  [/^estimate$/, 'points'],
  [/^parent issue$/, 'parent'],
  [/^project$/, 'project'],
  [/^id$/, 'ref'],
  [/^uuid$/, 'id'],
]

const columnsByFormat = { csv: commonNames, jira, linear } as const

/** A column name without case, accents and punctuation. */
export function columnKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
}

/** Assigns each column to a field: by the mapping, else by its common names. */
export function taskColumns(
  header: readonly string[],
  format: 'csv' | 'jira' | 'linear',
  mapping: ReadonlyMap<string, TaskField | null>,
): Columns {
  const columns = header.map((name) => {
    const key = columnKey(name)
    if (mapping.has(key)) return mapping.get(key) ?? undefined
    return columnsByFormat[format].find(([pattern]) => pattern.test(key))?.[1]
  })
  if (format !== 'csv') return columns
  return columns.map((field, i) => {
    const key = columnKey(header[i] ?? '')
    if (field !== undefined || mapping.has(key)) return field
    const other = fallbackNames.find(([pattern]) => pattern.test(key))?.[1]
    return other !== undefined && columns.includes(other) ? undefined : other
  })
}

/** Ranks columns with parents by precedence: keys, ids, titles, epics. */
export function parentRank(column: string): number {
  const key = columnKey(column)
  if (/epic/.test(key)) return 3
  if (/key$/.test(key)) return 0
  return /\bid$/.test(key) ? 1 : 2
}

/** Counts the cells that are known column names; 0 if none of them is a title column. */
export function taskHeaderScore(
  format: Exclude<ImportFormat, 'trello'> | undefined,
  mapping: ReadonlyMap<string, TaskField | null>,
): (cells: readonly string[]) => number {
  return (cells) => {
    const detectedFormat = format ?? formatOfHeader(cells)
    if (detectedFormat === 'todoist')
      return formatOfHeader(cells) === 'todoist' ? cells.filter(Boolean).length : 0
    const columns = taskColumns(cells, detectedFormat, mapping)
    return columns.includes('title') ? columns.filter((field) => field !== undefined).length : 0
  }
}
