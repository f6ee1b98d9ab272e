import type { Id } from '../../../kernel/ids.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import { parseToolset } from '../../../kernel/toolsets.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { delegatesOf, keysNamed, ownKeyIds } from '../../activity/access.ts'
import { person } from '../../directory/access.ts'
import { isMember } from '../../portfolio/access.ts'
import { notifyDelegated } from './notifications.ts'
import { assigneesOf, setAssignees } from './people.ts'

/** A key to delegate a task to. */
export type Delegate = Row<'api_keys'>

/**
 * The key for an argument: the caller's own by id or name, `me` for the key of the call; administrators can name any
 * key of the organization.
 * @throws Refusal not_found, invalid_argument for `me` without a key, conflict where several have the name
 */
export async function requireDelegate(
  ctx: ReadContext,
  text: string,
  field = 'delegate_key_id',
): Promise<Delegate> {
  const matches = await keysNamed(ctx, text)
  if (matches.length > 1) throw ambiguousKeyName(text, matches, field)
  const [key] = matches
  if (key) return key
  if (text === 'me' || text === 'current')
    throw invalid(field, `${text} is the key of the call, and this call has none.`, listHint)
  throw notFound('key', field)
}

/** Like requireDelegate(), for an optional argument that null clears. @throws Refusal as requireDelegate() */
export async function delegateChange(
  ctx: ReadContext,
  text: string | null | undefined,
  field?: string,
): Promise<Delegate | null | undefined> {
  return text === null || text === undefined ? text : requireDelegate(ctx, text, field)
}

const listHint = 'Send the id or name of a key from list_api_keys.'

function ambiguousKeyName(text: string, keys: readonly Delegate[], field: string): Refusal {
  return new Refusal('conflict', `${field}: ${keys.length} keys are called "${text}".`, {
    field,
    hint: 'Send the id of one of them.',
    context: { candidates: keys.map(({ id, name }) => ({ id, name })) },
  })
}

/**
 * Requires that a key can work on tasks of a project.
 * @throws Refusal invalid_argument where it has ended, is paused or cannot use tasks, or its owner is not a member
 */
export async function requireDelegable(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  key: Delegate,
  field = 'delegate_key_id',
): Promise<void> {
  const delegate = (await delegatesOf(ctx, [key.id])).get(key.id)
  if (!delegate) throw notFound('key', field)
  if (delegate.state === 'ended')
    throw invalid(field, `the key "${key.name}" has ended.`, 'Choose an active key.')
  if (delegate.state === 'paused')
    throw invalid(field, `the key "${key.name}" is paused.`, 'Resume it, or choose an active key.')
  if (!canUseTasks(key))
    throw invalid(
      field,
      `the key "${key.name}" cannot use tasks.`,
      'Choose a key whose toolsets include tasks.',
    )
  if (!(await isMember(ctx, projectId, key.owner_id)))
    throw new Refusal(
      'invalid_argument',
      `${field}: ${delegate.owner.title}, whose key "${key.name}" is, is not a member of the project.`,
      {
        field,
        hint: 'Its lead can add them with add_project_member.',
        next: {
          tool: 'add_project_member',
          arguments: { project_id: projectId, person_id: key.owner_id },
        },
      },
    )
}

function canUseTasks({ toolsets_json }: Delegate): boolean {
  if (toolsets_json === null) return true
  return (JSON.parse(toolsets_json) as string[]).some(
    (text) => parseToolset(text)?.module === 'tasks',
  )
}

/**
 * Applies the effects of a delegation: a task without an assignee is assigned to the delegating person, and the key's
 * owner is notified.
 */
export async function applyDelegation(
  ctx: WriteContext,
  row: Row<'tasks'>,
  key: Delegate,
): Promise<void> {
  notifyDelegated(ctx, row, key)
  if (
    (await assigneesOf(ctx, row.id)).length > 0 ||
    !(await isMember(ctx, row.project_id, ctx.actor.id))
  )
    return
  const actor = (await person.among(ctx, [ctx.actor.id])).get(ctx.actor.id)
  if (actor) await setAssignees(ctx, row, [actor])
}

/**
 * The task's delegated key if it remains valid among other people; null if it has ended or its owner is not one of
 * them.
 */
export async function delegateForMembers(
  ctx: ReadContext,
  { delegate_key_id }: Pick<Row<'tasks'>, 'delegate_key_id'>,
  members: ReadonlySet<string>,
): Promise<string | null> {
  if (delegate_key_id === null) return null
  const key = (await delegatesOf(ctx, [delegate_key_id])).get(delegate_key_id)
  return key && key.state !== 'ended' && members.has(key.owner.id) ? delegate_key_id : null
}

/**
 * The ids of the keys that a filter names; `me` without a key means all keys of the person.
 * @throws Refusal not_found where it names none
 */
export async function delegateFilter(
  ctx: ReadContext,
  text: string,
  field: string,
): Promise<string[]> {
  const keys =
    text === 'me' && ctx.actor.key === undefined
      ? await ownKeyIds(ctx)
      : [(await requireDelegate(ctx, text, field)).id]
  return keys.length > 0 ? keys : ['none']
}
