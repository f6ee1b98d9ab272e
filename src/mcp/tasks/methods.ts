import {
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import { call, type Answer } from '../../operations/call/index.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/row.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { protocolError, recordRefusal, requestFor } from '../requests.ts'
import {
  supportsTasks,
  resultOfJob,
  StartedTask,
  taskOf,
  tasksExtension,
  tasksName,
  type Task,
} from './task.ts'

type TaskParams = { taskId: string }

/**
 * The task started by a call; undefined if it started none, or its client does not support tasks: then the answer has
 * the job's handle, as over REST.
 */
export async function taskStartedBy(
  app: App,
  { actor }: Caller,
  { tool, envelope }: Pick<CallRequest, 'tool'> & Pick<MessageInfo, 'envelope'>,
  answer: Answer,
): Promise<StartedTask | undefined> {
  const kind = app.catalogue.find(tool)?.operation.startsJob
  if (kind === undefined || !actor.key || !supportsTasks(envelope)) return undefined
  const { job } = answer.value as { job?: { job_id?: unknown } }
  if (typeof job?.job_id !== 'string') return undefined
  const row = await app.jobs.findRequestedBy(
    app.store.read,
    job.job_id,
    actor.key.id,
    new Set([kind]),
  )
  return row && new StartedTask(taskOf(row, app.settings), answer.callId)
}

/** Answers tasks/get: the state of a job, and its result once it has ended. @throws ProtocolError */
export async function getTask(
  app: App,
  caller: Caller,
  { taskId }: TaskParams,
  message: MessageInfo,
): Promise<Task & { result?: object; _meta: object }> {
  const args = { job_id: taskId }
  const request = requestFor(caller, 'tasks/get', args, message, 'get_job')
  const job = await requireTask(app, caller, request, message)
  const { callId } = await callAs(app, caller, request)
  const task = taskOf(job, app.settings)
  const _meta = { 'workspace/call_id': callId }
  if (task.status !== 'completed') return { ...task, _meta }
  return { ...task, result: resultOfJob(job, caller.surface.outputSchemas), _meta }
}

/** Answers tasks/update: jobs request no input, so there is nothing to accept. @throws ProtocolError */
export async function updateTask(
  app: App,
  caller: Caller,
  { taskId }: TaskParams,
  message: MessageInfo & Pick<ServerContext['mcpReq'], 'inputResponses'>,
): Promise<object> {
  const request = requestFor(caller, 'tasks/update', { job_id: taskId }, message, 'get_job')
  await requireTask(app, caller, request, message)
  if (!message.inputResponses)
    throw await recordRefusal(
      app,
      caller,
      request,
      invalid('inputResponses', 'is required: an object of answers by their keys.'),
    )
  await callAs(app, caller, request)
  return {}
}

/** Answers tasks/cancel: asks a job to stop; an ended one stays unchanged. @throws ProtocolError */
export async function cancelTask(
  app: App,
  caller: Caller,
  { taskId }: TaskParams,
  message: MessageInfo,
): Promise<object> {
  const args = { job_id: taskId }
  const request = requestFor(caller, 'tasks/cancel', args, message, 'cancel_job')
  await requireTask(app, caller, request, message)
  await callAs(app, caller, request)
  app.jobs.wake()
  return {}
}

/** A call in the caller's name, with refusals as protocol errors. */
async function callAs(app: App, { actor }: Caller, request: CallRequest): Promise<Answer> {
  try {
    return await call(app, actor, request)
  } catch (error) {
    throw protocolError(error as Refusal)
  }
}

/** A task's job, if requested by this key or connection. Others count as missing. @throws ProtocolError */
async function requireTask(
  app: App,
  caller: Caller,
  request: CallRequest,
  { envelope }: MessageInfo,
): Promise<Row<'jobs'>> {
  const { key } = caller.actor
  if (!supportsTasks(envelope)) {
    await recordRefusal(
      app,
      caller,
      request,
      new Refusal('invalid_argument', missingCapabilityMessage),
    )
    throw new MissingRequiredClientCapabilityError(
      { requiredCapabilities: { extensions: tasksExtension } },
      missingCapabilityMessage,
    )
  }
  const { job_id } = request.args as { job_id: string }
  const job =
    key &&
    (await app.jobs.findRequestedBy(app.store.read, job_id, key.id, app.catalogue.startedJobs))
  if (job) return job
  throw await recordRefusal(app, caller, request, new Refusal('not_found', taskNotFoundMessage))
}

const missingCapabilityMessage = `The client has to declare the extension ${tasksName} in the capabilities of this request.`
const taskNotFoundMessage =
  'Task not found: no call with this key started it, or it is no longer kept.'
