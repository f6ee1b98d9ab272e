// A job as a task of the extension io.modelcontextprotocol/tasks (SEP-2663), available only in protocol 2026-07-28.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
} from '@modelcontextprotocol/server'
import { omitNullish } from '../../kernel/present.ts'
import { dayLength, iso } from '../../kernel/time/times.ts'
import type { App } from '../../operations/app.ts'
import type { Row } from '../../records/row.ts'
import { cleanJson } from '../../kernel/text/invisible.ts'

/** Name of the extension in the server's capabilities. */
export const tasksName = 'io.modelcontextprotocol/tasks'
export const tasksExtension = { [tasksName]: {} }

const pollIntervalMs = 2000

/** A task on the wire; times are ISO texts in UTC. */
export interface Task {
  taskId: string
  status: 'working' | 'completed' | 'cancelled'
  statusMessage?: string
  createdAt: string
  /** When the status last changed. */
  lastUpdatedAt: string
  /** Minimum time the task is kept, in milliseconds from its creation; null: forever. */
  ttlMs: number | null
  pollIntervalMs: number
}

/** The answer to a tools/call that continues as a job. */
export class StartedTask {
  readonly task: Task
  readonly callId: string

  constructor(task: Task, callId: string) {
    this.task = task
    this.callId = callId
  }

  /** The result on the wire, without the server information. */
  get result() {
    const { task, callId } = this
    return { resultType: 'task' as const, ...task, _meta: { 'workspace/call_id': callId } }
  }
}

/** Whether a request declares that its client supports tasks. `envelope`: the request's metadata. */
export function supportsTasks(envelope: Readonly<Record<string, unknown>> | undefined): boolean {
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined
  return declared?.extensions?.[tasksName] !== undefined
}

/** A job as a task. */
export function taskOf(job: Row<'jobs'>, { jobs_keep_days }: App['settings']): Task {
  const { id, state, created_at, started_at, finished_at } = job
  return omitNullish({
    taskId: id,
    status: taskStatusOf(state),
    statusMessage: taskStatusMessage(job),
    createdAt: iso(created_at),
    lastUpdatedAt: iso(finished_at ?? started_at ?? created_at),
    ttlMs: jobs_keep_days === 0 ? null : jobs_keep_days * dayLength,
    pollIntervalMs,
  }) as Task
}

/** A permanently failed job is a failed call, which is a result: `failed` is for protocol errors. */
function taskStatusOf(state: Row<'jobs'>['state']): Task['status'] {
  if (state === 'cancelled') return 'cancelled'
  return state === 'done' || state === 'dead' ? 'completed' : 'working'
}

function taskStatusMessage({ state, progress_json, last_error }: Row<'jobs'>): string | undefined {
  if (state === 'cancelled') return last_error ?? undefined
  if (state === 'done' || state === 'dead' || progress_json === null) return undefined
  const { done, total, message } = JSON.parse(progress_json) as {
    done: number
    total?: number
    message?: string
  }
  const count = total === undefined ? `${done}` : `${done} of ${total}`
  return message === undefined ? count : `${count} ${message}`
}

/**
 * Returns the result of the call whose job has ended. `hasOutputSchemas`: the client got output schemas, which the result
 * of a job does not match.
 */
export function resultOfJob(job: Row<'jobs'>, hasOutputSchemas: boolean): CallToolResult {
  const isError = job.state === 'dead'
  const text = cleanJson(isError ? failureText(job) : (job.result_json ?? 'null'))
  const content = [{ type: 'text' as const, text }]
  if (isError) return { content, isError }
  if (hasOutputSchemas || !text.startsWith('{')) return { content }
  return { content, structuredContent: JSON.parse(text) as Record<string, unknown> }
}

function failureText({ id, last_error }: Row<'jobs'>): string {
  const message = last_error ?? 'The job failed.'
  return JSON.stringify({ code: 'job_failed', message, job_id: id })
}
