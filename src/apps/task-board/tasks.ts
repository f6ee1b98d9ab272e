// Tasks as the answers over MCP give them: what is empty is left out, and a person or project who was named before has the title only.

import { localDate, type LocalDate } from '../shared/dates.ts'

export const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

/** `high` is "High". */
export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export interface BoardTask {
  key: string
  title: string
  /** The key of its project: that before the number. */
  project: string
  status: string
  category: string
  priority: string
  assignees: string[]
  labels: string[]
  due: LocalDate | undefined
  isBlocked: boolean
}

/** A task that is opened: with what lists leave out. */
export interface TaskDetails extends BoardTask {
  revision: number
  url: string | undefined
  description: string
  /** Whether people outside may have written it. */
  isOutside: boolean
}

/** A column of a project. */
export interface ProjectStatus {
  name: string
  category: string
}

type Fields = Record<string, unknown>

/** The tasks of a list; undefined where its fields are too few to show them. */
export function tasksIn({ items }: Fields): BoardTask[] | undefined {
  if (!Array.isArray(items)) return undefined
  const titles = new Map<string, string>()
  const found = items.map((item: Fields) => taskOf(item, titles))
  return found.every((task) => task !== undefined) ? found : undefined
}

export function taskDetails(task: Fields): TaskDetails | undefined {
  const found = taskOf(task, new Map())
  if (!found) return undefined
  const source = (task.source ?? {}) as Fields
  return {
    ...found,
    revision: Number(task.revision),
    url: text(task.url),
    description: text(task.description_markdown) ?? '',
    isOutside: task.created_via === 'sync' || /^(email|form)/.test(text(source.type) ?? ''),
  }
}

export function statusesIn({ statuses }: Fields): ProjectStatus[] {
  if (!Array.isArray(statuses)) return []
  return statuses.flatMap(({ name, category }: Fields) =>
    typeof name === 'string' ? [{ name, category: text(category) ?? categoryOf(name) }] : [],
  )
}

function taskOf(item: Fields, titles: Map<string, string>): BoardTask | undefined {
  const [key, title, status] = [text(item.key), text(item.title), text(item.status)]
  if (key === undefined || title === undefined || status === undefined) return undefined
  return {
    key,
    title,
    project: key.slice(0, key.lastIndexOf('-')),
    status,
    category: text(item.status_category) ?? categoryOf(status),
    priority: text(item.priority) ?? 'none',
    assignees: namesIn(item.assignees, titles),
    labels: namesIn(item.labels, titles),
    due: localDate(text(item.due_on) ?? text(item.due_local)),
    isBlocked: item.blocked === true,
  }
}

function namesIn(references: unknown, titles: Map<string, string>): string[] {
  if (!Array.isArray(references)) return []
  return references.flatMap((reference: Fields) => {
    const id = text(reference.id)
    const title = text(reference.title) ?? (id === undefined ? undefined : titles.get(id))
    if (id !== undefined && title !== undefined) titles.set(id, title)
    return title ?? []
  })
}

/** That of a status which is named like it, as "In progress" is: then answers leave it out. */
function categoryOf(status: string): string {
  return status.toLowerCase().replaceAll(' ', '_')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
