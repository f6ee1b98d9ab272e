import type { Output } from '../../../api/client.ts'
import { readScreen, screenCall } from '../../../store/index.ts'
import {
  readLabels,
  readOnce,
  readOwnKeys,
  readPeople,
  readProjects,
  type CustomField,
  type Project,
} from '../data/lists.ts'
import { isoDay } from '../../../ui/work/days.ts'
import type { TaskRow } from '../data/rows.ts'
import { customName, isCustom } from '../data/fields.ts'
import type { DelegateKey } from '../data/fields.ts'
import type { ColumnId } from './columns.ts'

interface NamedRef {
  id: string
  title: string
}

export interface CellLookup {
  projects: readonly Project[]
  people: Output<'list_people'>['items']
  labels: Output<'list_labels'>['items']
  /** The reader's keys that can work on tasks. */
  keys: readonly DelegateKey[]
  /** Days by phrase. */
  days: ReadonlyMap<string, string>
  /** Sprints and milestones by project id. */
  sprints: ReadonlyMap<string, readonly NamedRef[]>
  milestones: ReadonlyMap<string, readonly NamedRef[]>
}

export const emptyLookup: CellLookup = {
  projects: [],
  people: [],
  labels: [],
  keys: [],
  days: new Map(),
  sprints: new Map(),
  milestones: new Map(),
}

/** One cell to be filled. */
export interface FilledCell {
  row: TaskRow
  column: ColumnId
  text: string
}

export const customFieldOf = (
  projects: readonly Project[],
  row: TaskRow,
  name: string,
): CustomField | undefined =>
  projects
    .find((project) => project.id === row.project.id)
    ?.custom_fields.find((field) => field.name === name && !field.retired)

/** Loads only the data needed to parse these cells. @throws ApiError */
export async function loadCellLookup(cells: readonly FilledCell[]): Promise<CellLookup> {
  const columns = new Set(cells.map(({ column }) => column))
  const hasColumn = (...candidates: ColumnId[]) => candidates.some((column) => columns.has(column))
  const hasCustomColumn = [...columns].some((column) => isCustom(column))
  const projects = await readProjects()
  return {
    projects,
    people: hasColumn('assignees') || hasCustomColumn ? await readPeople() : [],
    labels: hasColumn('labels') ? await readLabels() : [],
    keys: hasColumn('delegate') ? await readOwnKeys() : [],
    days: await readDays(cells.filter((cell) => isDayCell(cell, projects))),
    sprints: hasColumn('sprint') ? await readPlans(cells, sprintsOf) : new Map(),
    milestones: hasColumn('milestone') ? await readPlans(cells, milestonesOf) : new Map(),
  }
}

function isDayCell({ row, column }: FilledCell, projects: readonly Project[]): boolean {
  if (column === 'due' || column === 'start') return true
  return isCustom(column) && customFieldOf(projects, row, customName(column))?.type === 'date'
}

async function sprintsOf(project_id: string): Promise<NamedRef[]> {
  const { items } = await readOnce('list_sprints', {
    project_id,
    status: ['active', 'planned'],
    limit: 100,
  })
  return items.map(({ id, name }) => ({ id, title: name }))
}

async function milestonesOf(project_id: string): Promise<NamedRef[]> {
  const { items } = await readOnce('list_milestones', {
    project_id,
    status: ['open', 'missed'],
    limit: 100,
  })
  return items.map(({ id, name }) => ({ id, title: name }))
}

async function readPlans(
  cells: readonly FilledCell[],
  loadPlans: (projectId: string) => Promise<NamedRef[]>,
): Promise<Map<string, readonly NamedRef[]>> {
  const projectIds = [...new Set(cells.map(({ row }) => row.project.id))]
  return new Map(
    await Promise.all(projectIds.map(async (id) => [id, await loadPlans(id)] as const)),
  )
}

/** Maximum number of different date words resolved at once, and per request. */
const maxDays = 100
const daysPerRequest = 20

async function readDays(cells: readonly FilledCell[]): Promise<Map<string, string>> {
  const phrases = [...new Set(cells.map(({ text }) => text))]
    .filter((text) => text !== '' && text.length <= 100 && !isoDay.test(text))
    .slice(0, maxDays)
  const days = new Map<string, string>()
  for (let start = 0; start < phrases.length; start += daysPerRequest) {
    const batch = phrases.slice(start, start + daysPerRequest)
    const answers = await readScreen(
      'tasks table',
      batch.map((phrase) => screenCall('get_current_time', { phrase })),
    )
    for (const [index, { value }] of answers.entries()) {
      const day = value?.resolved?.from_local.slice(0, 10)
      const dayPhrase = batch[index]
      if (day !== undefined && dayPhrase !== undefined) days.set(dayPhrase, day)
    }
  }
  return days
}
