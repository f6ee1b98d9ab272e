import type { Output } from '../../../api/client.ts'
import { readScreen, reading } from '../../../store/index.ts'
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

interface Named {
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
  sprints: ReadonlyMap<string, readonly Named[]>
  milestones: ReadonlyMap<string, readonly Named[]>
}

export const nothingKnown: CellLookup = {
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
export async function readKnown(cells: readonly FilledCell[]): Promise<CellLookup> {
  const columns = new Set(cells.map(({ column }) => column))
  const has = (...wanted: ColumnId[]) => wanted.some((column) => columns.has(column))
  const isCustomThere = [...columns].some((column) => isCustom(column))
  const projects = await readProjects()
  return {
    projects,
    people: has('assignees') || isCustomThere ? await readPeople() : [],
    labels: has('labels') ? await readLabels() : [],
    keys: has('delegate') ? await readOwnKeys() : [],
    days: await readDays(cells.filter((cell) => isDayCell(cell, projects))),
    sprints: has('sprint') ? await readPlans(cells, sprintsOf) : new Map(),
    milestones: has('milestone') ? await readPlans(cells, milestonesOf) : new Map(),
  }
}

function isDayCell({ row, column }: FilledCell, projects: readonly Project[]): boolean {
  if (column === 'due' || column === 'start') return true
  return isCustom(column) && customFieldOf(projects, row, customName(column))?.type === 'date'
}

async function sprintsOf(project_id: string): Promise<Named[]> {
  const { items } = await readOnce('list_sprints', {
    project_id,
    status: ['active', 'planned'],
    limit: 100,
  })
  return items.map(({ id, name }) => ({ id, title: name }))
}

async function milestonesOf(project_id: string): Promise<Named[]> {
  const { items } = await readOnce('list_milestones', {
    project_id,
    status: ['open', 'missed'],
    limit: 100,
  })
  return items.map(({ id, name }) => ({ id, title: name }))
}

async function readPlans(
  cells: readonly FilledCell[],
  read: (projectId: string) => Promise<Named[]>,
): Promise<Map<string, readonly Named[]>> {
  const projects = [...new Set(cells.map(({ row }) => row.project.id))]
  return new Map(await Promise.all(projects.map(async (id) => [id, await read(id)] as const)))
}

/** Maximum number of different date words resolved at once, and per request. */
const maxDays = 100
const daysOfRequest = 20

async function readDays(cells: readonly FilledCell[]): Promise<Map<string, string>> {
  const words = [...new Set(cells.map(({ text }) => text))]
    .filter((text) => text !== '' && text.length <= 100 && !isoDay.test(text))
    .slice(0, maxDays)
  const days = new Map<string, string>()
  for (let start = 0; start < words.length; start += daysOfRequest) {
    const batch = words.slice(start, start + daysOfRequest)
    const answers = await readScreen(
      'tasks table',
      batch.map((phrase) => reading('get_current_time', { phrase })),
    )
    for (const [index, { value }] of answers.entries()) {
      const day = value?.resolved?.from_local.slice(0, 10)
      const word = batch[index]
      if (day !== undefined && word !== undefined) days.set(word, day)
    }
  }
  return days
}
