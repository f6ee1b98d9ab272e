import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { customField, isKeyTaken, keysTaken, status } from '../../portfolio/access.ts'
import { keyPattern, keysFor } from './keys.ts'

type Status = Pick<Row<'statuses'>, 'name' | 'category' | 'color' | 'wip_limit'>

export const categoryColors: Record<Status['category'], string> = {
  triage: '#f59e0b',
  backlog: '#94a3b8',
  todo: '#64748b',
  in_progress: '#3b82f6',
  done: '#22c55e',
  cancelled: '#9ca3af',
}

const defaultStatuses: readonly (readonly [
  name: string,
  category: Status['category'],
  color?: string,
])[] = [
  ['Backlog', 'backlog'],
  ['To do', 'todo'],
  ['In progress', 'in_progress'],
  ['In review', 'in_progress', '#8b5cf6'],
  ['Done', 'done'],
  ['Cancelled', 'cancelled'],
]

/**
 * The requested key, or one derived from the name.
 * @throws Refusal conflict if it is taken, without saying by which project
 */
export async function chooseKey(
  ctx: ReadContext,
  requestedKey: string | undefined,
  name: string,
): Promise<string> {
  if (requestedKey === undefined) return freeKey(ctx, name)
  const key = requestedKey.trim().toUpperCase()
  if (!keyPattern.test(key))
    throw invalid(
      'key',
      `${JSON.stringify(requestedKey)} is not a valid key.`,
      'A key has 2 to 10 letters and digits and begins with a letter, such as ENG.',
    )
  if (await isKeyTaken(ctx, key))
    throw new Refusal('conflict', `The key ${key} is already taken.`, {
      field: 'key',
      hint: 'Choose another key, or omit it.',
    })
  return key
}

async function freeKey(ctx: ReadContext, name: string): Promise<string> {
  const derivedKeys = keysFor(name)
  // Most names get one of the first choices; if taken, looks up many at once.
  for (let size = 5; ; size = 200) {
    const candidates = takeNext(derivedKeys, size)
    if (candidates.length === 0) break
    const usedKeys = await keysTaken(ctx, candidates)
    const free = candidates.find((key) => !usedKeys.has(key))
    if (free) return free
  }
  throw new Refusal('conflict', 'All keys derived from this name are taken.', {
    field: 'key',
    hint: 'Choose a key of 2 to 10 letters and digits.',
  })
}

function takeNext(from: Iterator<string>, count: number): string[] {
  const keys: string[] = []
  while (keys.length < count) {
    const { value, done } = from.next() as IteratorResult<string, undefined>
    if (done) break
    keys.push(value)
  }
  return keys
}

/** Gives a new project its statuses and custom fields: those of a visible template, or the defaults. */
export async function addStatusesAndFields(
  ctx: WriteContext,
  project: Row<'projects'>,
  template: Row<'projects'> | undefined,
): Promise<void> {
  const statuses: Status[] = template
    ? await statusesOf(ctx, template)
    : defaultStatuses.map(([name, category, color]) => ({
        name,
        category,
        color: color ?? categoryColors[category],
        wip_limit: null,
      }))
  for (const [position, { name, category, color, wip_limit }] of statuses.entries()) {
    await ctx.add('statuses', {
      project_id: project.id,
      name,
      category,
      color,
      wip_limit,
      position,
    })
  }
  for (const { name, type, options_json, required } of template
    ? await activeFieldsOf(ctx, template)
    : []) {
    await ctx.add('custom_fields', {
      project_id: project.id,
      name,
      type,
      options_json,
      required,
      retired: 0,
    })
  }
}

/** The statuses of a visible project, in order. */
export async function statusesOf(
  ctx: ReadContext,
  projectRow: Row<'projects'>,
): Promise<Row<'statuses'>[]> {
  return status
    .visibleTo(ctx)
    .selectAll('statuses')
    .where('statuses.project_id', '=', projectRow.id)
    .orderBy('statuses.position')
    .execute()
}

async function activeFieldsOf(
  ctx: ReadContext,
  project: Row<'projects'>,
): Promise<Row<'custom_fields'>[]> {
  return customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.project_id', '=', project.id)
    .where('custom_fields.retired', '=', 0)
    .orderBy('custom_fields.id')
    .execute()
}
