import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import { call, type Answer } from '../call/index.ts'
import type { CallRequest } from '../call/request.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { requirePending, type ListedApproval } from './list.ts'

/**
 * Executes a waiting call, on behalf of the key and its owner, with their current rights. It runs at most once; if it
 * is refused, nothing has happened and it still waits. `itemsVersion`: state of the named items as the owner saw it;
 * by default, as of the request.
 * @throws Refusal
 */
export async function releaseApproval(
  app: App,
  approval: ListedApproval,
  request: Pick<CallRequest, 'transport' | 'requestId' | 'route' | 'ip' | 'client'>,
  more: { session?: Actor['session']; itemsVersion?: string | undefined } = {},
): Promise<Answer> {
  requirePending(approval, app.clock.now())
  const actor = { ...(await actorOf(app, approval)), session: more.session }
  const released = { approval: approval.id, by: actor.id, itemsVersion: more.itemsVersion }
  return call(app, actor, {
    ...request,
    tool: approval.tool,
    args: JSON.parse(approval.arguments_json) as unknown,
    idempotencyKey: approval.idempotency_key ?? undefined,
    released,
    cause: await causeOf(app, approval),
  })
}

/**
 * The automation run that made the request, recorded with the changes of the call. Its idempotency keys identify it.
 */
async function causeOf(
  app: App,
  { asked_via, idempotency_key }: ListedApproval,
): Promise<CallRequest['cause']> {
  const id =
    asked_via === 'automation' ? /^aut:(run_\w+):/.exec(idempotency_key ?? '')?.[1] : undefined
  if (id === undefined) return undefined
  const run = await app.store.read
    .selectFrom('automation_runs')
    .select('held')
    .where('id', '=', id as Row<'automation_runs'>['id'])
    .executeTakeFirst()
  return { run: id, held: false, isExternal: run?.held === 1 }
}

async function actorOf(
  app: App,
  { owner_id, key_id, key_name, asked_via }: ListedApproval,
): Promise<Actor> {
  const actor = await app.keys.currentActor({
    id: owner_id as Row<'users'>['id'],
    via: asked_via,
    key: key_id === null ? undefined : { id: key_id as Row<'api_keys'>['id'] },
  })
  if (actor) return actor
  if (key_id === null)
    throw new Refusal(
      'conflict',
      'The owner of this call was deactivated, and so were their automations.',
      'Deny this one.',
    )
  throw new Refusal(
    'conflict',
    `The key "${key_name}" is no longer valid, so its calls cannot run.`,
    'Deny this one.',
  )
}
