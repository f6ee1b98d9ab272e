import { randomUUID } from 'node:crypto'
import {
  MissingRequiredClientCapabilityError,
  type ProtocolError,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { supportsTasks, tasksExtension, type Task } from '../../mcp/tasks/task.ts'

type InputRequests = NonNullable<InputRequiredResult['inputRequests']>

interface FixtureTask extends Omit<Task, 'status'> {
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  inputRequests?: InputRequests
  result?: CallToolResult
  error?: { code: number; message: string }
}

/** A running task of the suite. */
export interface TaskWork {
  readonly signal: AbortSignal
  /** Waits for the answers to all of these questions. */
  ask(requests: InputRequests): Promise<Record<string, unknown>>
}

interface Running {
  task: FixtureTask
  stop: AbortController
  answers: Record<string, unknown>
  answered: () => void
}

/** In-memory tasks for the suite's tools: jobs of the product neither request input nor fail with a protocol error. */
export class TaskStore {
  readonly #running = new Map<string, Running>()

  has(id: string): boolean {
    return this.#running.has(id)
  }

  /** Starts a task. @throws MissingRequiredClientCapabilityError where the client does not follow tasks */
  begin(context: ServerContext, work: (work: TaskWork) => Promise<CallToolResult>) {
    requireTasks(context)
    const now = new Date().toISOString()
    const task: FixtureTask = {
      taskId: randomUUID(),
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: 60_000,
      pollIntervalMs: 100,
    }
    const running: Running = { task, stop: new AbortController(), answers: {}, answered() {} }
    this.#running.set(task.taskId, running)
    const ask: TaskWork['ask'] = (requests) =>
      new Promise((resolve) => {
        set(task, { status: 'input_required', inputRequests: requests })
        running.answered = () => resolve(running.answers)
      })
    void work({ signal: running.stop.signal, ask }).then(
      (result) => end(task, { status: 'completed', result }),
      (error: unknown) => end(task, failure(error)),
    )
    return { resultType: 'task' as const, ...task }
  }

  get(id: string, context: ServerContext): FixtureTask {
    requireTasks(context)
    return this.#running.get(id)!.task
  }

  update(id: string, context: ServerContext): object {
    requireTasks(context)
    const running = this.#running.get(id)!
    const { task } = running
    for (const [key, answer] of Object.entries(context.mcpReq.inputResponses ?? {})) {
      if (task.inputRequests?.[key] === undefined) continue
      running.answers[key] = answer
      const { [key]: _, ...left } = task.inputRequests
      task.inputRequests = left
    }
    if (task.status !== 'input_required' || Object.keys(task.inputRequests ?? {}).length > 0)
      return {}
    delete task.inputRequests
    set(task, { status: 'working' })
    running.answered()
    return {}
  }

  cancel(id: string, context: ServerContext): object {
    requireTasks(context)
    const { task, stop } = this.#running.get(id)!
    end(task, { status: 'cancelled' })
    stop.abort()
    return {}
  }
}

function requireTasks({ mcpReq }: ServerContext): void {
  if (!supportsTasks(mcpReq.envelope as Record<string, unknown> | undefined))
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: tasksExtension },
    })
}

function set(task: FixtureTask, change: Partial<FixtureTask>): void {
  Object.assign(task, change, { lastUpdatedAt: new Date().toISOString() })
}

function end(task: FixtureTask, change: Partial<FixtureTask>): void {
  if (task.status !== 'working' && task.status !== 'input_required') return
  delete task.inputRequests
  set(task, change)
}

function failure(error: unknown): Partial<FixtureTask> {
  const { code, message } = error as ProtocolError
  return { status: 'failed', error: { code, message } }
}
