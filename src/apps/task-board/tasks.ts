// Tasks in answers over MCP: empty fields are omitted, and a person or label that occurred before has only its
// title.

import { localDate, type LocalDate } from '../shared/dates.ts'
import { type AnswerFields, textField } from '../shared/fields.ts'

export const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

export interface BoardTask {
  key: string
  title: string
  /** Project key: the part before the number. */
  project: string
  status: string
  category: string
  priority: string
  assignees: string[]
  labels: string[]
  due: LocalDate | undefined
  isBlocked: boolean
}

/** An opened task, with fields that lists omit. */
export interface TaskDetails extends BoardTask {
  revision: number
  url: string | undefined
  description: string
  /** Whether people outside the organization may have written it. */
  isFromOutside: boolean
}

/** A column of a project. */
export interface ProjectStatus {
  name: string
  category: string
}

/** Tasks of a list; undefined if it lacks fields needed to show them. */
export function tasksIn({ items }: AnswerFields): BoardTask[] | undefined {
  if (!Array.isArray(items)) return undefined
  const titles = new Map<string, string>()
  const tasks = items.map((item: AnswerFields) => taskOf(item, titles))
  return tasks.every((task) => task !== undefined) ? tasks : undefined
}

export function taskDetails(task: AnswerFields): TaskDetails | undefined {
  const boardTask = taskOf(task, new Map())
  if (!boardTask) return undefined
  const source = (task.source ?? {}) as AnswerFields
  return {
    ...boardTask,
    revision: Number(task.revision),
    url: textField(task.url),
    description: textField(task.description_markdown) ?? '',
    isFromOutside:
      task.created_via === 'sync' || /^(email|form)/.test(textField(source.type) ?? ''),
  }
}

export function statusesIn({ statuses }: AnswerFields): ProjectStatus[] {
  if (!Array.isArray(statuses)) return []
  return statuses.flatMap(({ name, category }: AnswerFields) =>
    typeof name === 'string' ? [{ name, category: textField(category) ?? categoryOf(name) }] : [],
  )
}

function taskOf(item: AnswerFields, titles: Map<string, string>): BoardTask | undefined {
  const [key, title, status] = [textField(item.key), textField(item.title), textField(item.status)]
  if (key === undefined || title === undefined || status === undefined) return undefined
  return {
    key,
    title,
    project: key.slice(0, key.lastIndexOf('-')),
    status,
    category: textField(item.status_category) ?? categoryOf(status),
    priority: textField(item.priority) ?? 'none',
    assignees: referenceTitles(item.assignees, titles),
    labels: referenceTitles(item.labels, titles),
    due: localDate(textField(item.due_on) ?? textField(item.due_local)),
    isBlocked: item.blocked === true,
  }
}

function referenceTitles(references: unknown, titles: Map<string, string>): string[] {
  if (!Array.isArray(references)) return []
  return references.flatMap((reference: AnswerFields) => {
    const id = textField(reference.id)
    const title = textField(reference.title) ?? (id === undefined ? undefined : titles.get(id))
    if (id !== undefined && title !== undefined) titles.set(id, title)
    return title ?? []
  })
}

/** Category of a status with the same name, such as "In progress"; answers omit it then. */
function categoryOf(status: string): string {
  return status.toLowerCase().replaceAll(' ', '_')
}
