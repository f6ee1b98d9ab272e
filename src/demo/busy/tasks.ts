// Task actions of assistants in the busy demo: they move tasks on, and report their status.

import { keepLatest, pick, valueOfCall, type Action, type Assistant } from './assistant.ts'

export interface OpenTask {
  id: string
  key: string
  title: string
  status: string
  due_on?: string
  blocked?: boolean
  points?: number
}

const fields = ['key', 'title', 'status', 'due_on', 'blocked', 'points']

/** Status cycle of a task, so that the board never runs empty. */
const nextStatus: Record<string, string> = {
  'To do': 'In progress',
  'In progress': 'In review',
  'In review': 'To do',
}

/** Open tasks of a project, by key. */
export async function openTasks(assistant: Assistant, project_id: string): Promise<OpenTask[]> {
  const taskPage = await valueOfCall<{ items: OpenTask[] }>(assistant, 'list_tasks', {
    project_id,
    status: Object.keys(nextStatus),
    limit: 100,
    fields,
  })
  return (taskPage?.items ?? []).sort((a, b) => numberOf(a.key) - numberOf(b.key))
}

const numberOf = (key: string) => Number(key.slice(key.lastIndexOf('-') + 1))

/** Reads a task and moves it to the next status of its board. */
export function moveTask(project: string): Action {
  return async (assistant) => {
    const task = pick(assistant, await openTasks(assistant, project))
    const status = task && nextStatus[task.status]
    if (!status || !(await valueOfCall(assistant, 'get_task', { task_id: task.key })))
      return undefined
    const moved = await valueOfCall(assistant, 'update_task', { task_id: task.key, status })
    return moved ? `${task.key} is ${status}` : undefined
  }
}

/**
 * Works on delegated tasks: first comments on the task's status, then completes it at the next turn; each task once.
 */
export const workDelegated: Action = async (assistant) => {
  const taskPage = await valueOfCall<{ items: OpenTask[] }>(assistant, 'list_tasks', {
    delegated_to: 'me',
    status_category: ['triage', 'backlog', 'todo', 'in_progress'],
    fields,
  })
  const isOpen = ({ id }: OpenTask) => assistant.memory.get(`delegated ${id}`) !== 'completed'
  const task = (taskPage?.items ?? []).find(isOpen)
  if (!task) return undefined
  if (assistant.memory.get(`delegated ${task.id}`) === undefined) {
    assistant.memory.set(`delegated ${task.id}`, 'begun')
    const whole = await valueOfCall<TaskDetails>(assistant, 'get_task', {
      task_id: task.id,
      include: ['subtasks', 'dependencies'],
    })
    const body_markdown = `On it. ${whole ? describeState(whole) : ''}`.trim()
    await valueOfCall(assistant, 'add_task_comment', { task_id: task.id, body_markdown })
    await valueOfCall(assistant, 'update_task', { task_id: task.id, status: 'In progress' })
    return `${task.key} was delegated, and is begun`
  }
  assistant.memory.set(`delegated ${task.id}`, 'completed')
  const done = await valueOfCall(assistant, 'complete_task', { task_id: task.id })
  return done && `${task.key} was delegated, and is done`
}

/** Sets an estimate of a task, or changes it: between 1 and 8 points. */
export function estimateTask(project: string): Action {
  return async (assistant) => {
    const task = pick(assistant, await openTasks(assistant, project))
    if (!task) return undefined
    const points = 1 + assistant.dice(8)
    if (points === task.points) return undefined
    const changed = await valueOfCall(assistant, 'update_task', { task_id: task.key, points })
    return changed ? `${task.key} has ${points} points` : undefined
  }
}

/** Reads a task with its related items, and comments on its status. */
export function commentTask(project: string): Action {
  return async (assistant) => {
    const chosen = pick(assistant, await openTasks(assistant, project))
    if (!chosen) return undefined
    const task = await valueOfCall<TaskDetails>(assistant, 'get_task', {
      task_id: chosen.key,
      include: ['subtasks', 'dependencies', 'comments'],
    })
    if (!task) return undefined
    const comment = await valueOfCall<{ id: string }>(assistant, 'add_task_comment', {
      task_id: task.id,
      body_markdown: describeState(task),
    })
    if (!comment) return undefined
    const args = { task_id: task.id, comment_id: comment.id }
    await keepLatest(assistant, 'comment', { tool: 'delete_task_comment', args })
    return `commented on ${task.key}`
  }
}

/** A task from a single read. */
export interface TaskDetails extends OpenTask {
  subtask_counts: { total: number; done: number }
  blocked_by: { key?: string; title?: string }[]
  description_markdown?: string
}

/** Describes the state of a task from its own fields. */
export function describeState(task: TaskDetails): string {
  const boxes = [...(task.description_markdown ?? '').matchAll(/^\s*[-*] \[( |x)\]/gim)]
  const openCount = boxes.filter(([, mark]) => mark === ' ').length
  const { total, done } = task.subtask_counts
  const blockers = task.blocked_by.map((other) => other.key ?? other.title)
  const sentences = [
    `**${task.status}**${task.due_on === undefined ? ', without a due date' : `, due on ${task.due_on}`}.`,
    blockers.length > 0 && `Waits for ${blockers.join(', ')}.`,
    total > 0 && `${done} of ${total} subtasks are done.`,
    openCount > 0 && `${openCount} of ${boxes.length} points of the list are open.`,
    task.points === undefined && 'It has no estimate yet.',
  ]
  return sentences.filter(Boolean).join(' ')
}
