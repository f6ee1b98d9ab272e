import { recordAccess, recordEarlyRefusal } from '../operations/call/index.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { App } from '../operations/app.ts'
import type { Caller } from './caller.ts'
import { requestFor } from './requests.ts'

/** Methods that log themselves, and those that only maintain a connection. */
const unloggedHere = new Set([
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/get',
  'completion/complete',
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
])
/** The same for the current protocol: earlier ones use these names for other, unsupported methods. */
const unloggedHereModern = new Set(['tasks/get', 'tasks/update', 'tasks/cancel'])
/** Methods that list what a key may do. */
const listMethods = new Set([
  'tools/list',
  'resources/templates/list',
  'prompts/list',
  'skills/list',
  'skills/get',
])

/** Logs messages that lead to no call, so that no read access goes unrecorded. */
export async function logMessage(
  app: App,
  { caller, body, isModern }: { caller: Caller; body: unknown; isModern: boolean },
): Promise<void> {
  const { method, id } = (body ?? {}) as { method?: unknown; id?: unknown }
  if (typeof method !== 'string' || id === undefined || unloggedHere.has(method)) return
  if (isModern && unloggedHereModern.has(method)) return
  const request = requestFor(
    caller,
    listMethods.has(method) ? method : 'unknown method',
    undefined,
    {},
    'unknown',
  )
  if (listMethods.has(method)) return recordAccess(app, caller.actor, request)
  await recordEarlyRefusal(
    app,
    caller.actor,
    request,
    new Refusal('not_found', 'Method not found.'),
  )
}
