import type { Host, ToolResult } from '../shared/host.ts'
import { type CallProblem, problemOf, RefusedCall, toolValue } from '../shared/refusals.ts'
import {
  type BoardTask,
  type ProjectStatus,
  statusesIn,
  type TaskDetails,
  taskDetails,
  tasksIn,
} from './tasks.ts'

export interface BoardState {
  tasks: readonly BoardTask[]
  /** Statuses by project key. */
  statuses: ReadonlyMap<string, readonly ProjectStatus[]>
  nextCursor: string | undefined
  isLoading: boolean
  /** Keys of tasks that are being changed. */
  changing: ReadonlySet<string>
  opened: TaskDetails | undefined
  problem: CallProblem | undefined
  announcement: string
}

const maxProjects = 8
const pageSize = 100

/** The tasks returned by one list_tasks call, and the actions on them: every change is a call of the connection. */
export class Board {
  state: BoardState = {
    tasks: [],
    statuses: new Map(),
    nextCursor: undefined,
    isLoading: true,
    changing: new Set(),
    opened: undefined,
    problem: undefined,
    announcement: '',
  }
  readonly #host: Host
  readonly #onChange: () => void
  #args: Record<string, unknown> = {}

  constructor(host: Host, onChange: () => void) {
    this.#host = host
    this.#onChange = onChange
  }

  /** Shows the result of the call that opened the view. */
  async loadResult(args: Record<string, unknown>, result: ToolResult): Promise<void> {
    const { fields: _, cursor: __, ...filters } = args
    this.#args = filters
    await this.#try(async () => {
      const value = toolValue(result)
      const tasks = tasksIn(value)
      if (!tasks) return this.#load()
      this.#set({ tasks, nextCursor: cursorIn(value) })
      await this.#loadStatuses()
    })
    this.#set({ isLoading: false })
  }

  cancelled(): void {
    this.#set({ isLoading: false, problem: { message: 'The list of tasks was cancelled.' } })
  }

  /** Reloads the tasks, as many as fit on one page. */
  async refresh(): Promise<void> {
    this.#set({ isLoading: true, problem: undefined })
    await this.#try(() => this.#load())
    this.#set({ isLoading: false, announcement: 'The board is up to date.' })
  }

  async loadMore(): Promise<void> {
    const cursor = this.state.nextCursor
    this.#set({ isLoading: true, problem: undefined })
    await this.#try(async () => {
      const value = await this.#call('list_tasks', { ...this.#args, cursor })
      const more = tasksIn(value) ?? []
      this.#set({ tasks: [...this.state.tasks, ...more], nextCursor: cursorIn(value) })
      await this.#loadStatuses()
    })
    this.#set({ isLoading: false })
  }

  /** Moves a task to another status of its project. Shown at once and reverted if refused. */
  async move(task: BoardTask, status: string): Promise<void> {
    const target = this.statusesOf(task).find(({ name }) => name === status)
    if (!target || status === task.status) return
    this.#replace({ ...task, status, category: target.category })
    const isMoved = await this.#change(task, { status })
    if (!isMoved) this.#replace(task)
  }

  /** Changes fields of the open task. @returns whether they were changed */
  async save(task: TaskDetails, fields: Record<string, unknown>): Promise<boolean> {
    const isSaved = await this.#change(task, { ...fields, expected_revision: task.revision })
    if (isSaved) this.close()
    return isSaved
  }

  async open(task: BoardTask): Promise<void> {
    this.#set({ problem: undefined })
    await this.#try(async () => {
      const opened = taskDetails(await this.#call('get_task', { task_id: task.key }))
      if (opened) this.#set({ opened })
    })
  }

  close(): void {
    this.#set({ opened: undefined })
  }

  async openInWorkspace(url: string): Promise<void> {
    await this.#try(() => this.#host.openLink(url))
  }

  statusesOf({ project, status, category }: BoardTask): readonly ProjectStatus[] {
    return this.state.statuses.get(project) ?? [{ name: status, category }]
  }

  async #change(task: BoardTask, fields: Record<string, unknown>): Promise<boolean> {
    this.#set({ problem: undefined, changing: new Set([...this.state.changing, task.key]) })
    const isChanged = await this.#try(async () => {
      const value = await this.#call('update_task', { task_id: task.key, ...fields })
      const changed = taskDetails(value)
      if (changed) this.#replace(changed)
      const newStatus = changed?.status ?? task.status
      const summary =
        newStatus === task.status ? `Changed ${task.key}` : `Moved ${task.key} to ${newStatus}`
      this.#set({ announcement: `${summary}.` })
      this.#host.note(`On the task board, the person did this: ${summary}.`)
    })
    this.#set({ changing: this.state.changing.difference(new Set([task.key])) })
    return isChanged
  }

  #replace(task: BoardTask): void {
    this.#set({
      tasks: this.state.tasks.map((boardTask) => (boardTask.key === task.key ? task : boardTask)),
    })
  }

  async #load(): Promise<void> {
    const limit = Math.min(pageSize, Math.max(25, this.state.tasks.length))
    const value = await this.#call('list_tasks', { ...this.#args, limit })
    const tasks = tasksIn(value)
    if (!tasks) throw new RefusedCall({ message: 'The list of tasks could not be read.' })
    this.#set({ tasks, nextCursor: cursorIn(value) })
    await this.#loadStatuses()
  }

  /**
   * Loads the statuses of projects that are not known yet. If the connection may not read a project, its tasks cannot
   * be moved.
   */
  async #loadStatuses(): Promise<void> {
    if (!this.#host.canCall) return
    const projects = new Set(this.state.tasks.map(({ project }) => project))
    const unknown = [...projects].filter((project) => !this.state.statuses.has(project))
    const loaded = await Promise.all(
      unknown.slice(0, maxProjects).map(async (project) => {
        const result = await this.#host.call('get_project', { project_id: project })
        return [project, result.isError ? [] : statusesIn(toolValue(result))] as const
      }),
    )
    const withStatuses = loaded.filter(([, statuses]) => statuses.length > 0)
    this.#set({ statuses: new Map([...this.state.statuses, ...withStatuses]) })
  }

  async #call(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    return toolValue(await this.#host.call(tool, args))
  }

  /** Runs an action and shows the reason if it is refused. @returns whether it succeeded */
  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      this.#set({ problem: problemOf(error) })
      return false
    }
  }

  #set(change: Partial<BoardState>): void {
    this.state = { ...this.state, ...change }
    this.#onChange()
  }
}

function cursorIn({ next_cursor }: Record<string, unknown>): string | undefined {
  return typeof next_cursor === 'string' ? next_cursor : undefined
}
