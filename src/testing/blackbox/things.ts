import { randomUUID } from 'node:crypto'
import type { Store } from '../../db/open.ts'
import { daysFrom } from '../days.ts'
import { plantModules, plantOpenly } from '../fixtures/index.ts'
import { rpcOf, send, toolCallOf, type Door } from './requests.ts'

/** Calls a tool that must not be refused. */
export async function use<T = any>(
  door: Door,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const { result, error } = rpcOf(await send(door, toolCallOf(name, args))) as {
    result?: { isError?: boolean; structuredContent: T }
    error?: unknown
  }
  if (!result || result.isError)
    throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result ?? error)}`)
  return result.structuredContent
}

/** Address that test webhooks point to, with no listener. Servers need it as their outbound_allow. */
export const deafHost = '127.0.0.1:9'

/** Ids of one person's items, by type. */
export type Things = Record<string, string[]>

/**
 * Creates one item of every type in a new project, some of them in the trash; each text contains the word. `store`:
 * of a server in this process, for external data.
 */
export async function plant(door: Door, word: string, key: string, store?: Store): Promise<Things> {
  const make = (name: string, args: Record<string, unknown>) =>
    use<{ id: string; key: string }>(door, name, args)
  const say = (what: string) => `${word} ${what}`
  const ifAllowed = (name: string, args: Record<string, unknown>) =>
    make(name, args).then(
      ({ id }) => [id],
      (error: Error) => (error.message.includes('permission_denied') ? [] : Promise.reject(error)),
    )
  const { person: me, now } = await use<{
    person: { id: string; email: string }
    now: { utc: string }
  }>(door, 'get_me')
  const day = daysFrom(Date.parse(now.utc)) // of a clock of its own, in some tests
  const project = await make('create_project', {
    name: say('project'),
    key,
    description_markdown: say('about'),
  })
  const field = await make('create_custom_field', {
    project_id: key,
    name: say('field'),
    type: 'text',
  })
  const sprint = await make('create_sprint', {
    project_id: key,
    name: say('sprint'),
    starts_on: day(-4),
    ends_on: day(9),
  })
  const milestone = await make('create_milestone', { project_id: key, name: say('milestone') })
  const label = await make('create_label', { name: say('label') })
  const team = await ifAllowed('create_team', { name: say('team') })
  const away = await make('create_time_off', {
    starts_on: day(34),
    ends_on: day(41),
    kind: 'vacation',
    note: say('note'),
  })
  const first = await make('create_task', {
    project_id: key,
    title: say('task'),
    description_markdown: say('text'),
    sprint_id: sprint.id,
    milestone_id: milestone.id,
    label_ids: [label.id],
    due_at: day(-1),
  })
  const second = await make('create_task', {
    project_id: key,
    title: say('second task'),
    parent_id: first.id,
  })
  await use(door, 'bulk_create_tasks', {
    project_id: key,
    tasks: Array.from({ length: 12 }, (_, i) => ({ title: say(`task number ${i}`) })),
  })
  const comment = await make('add_task_comment', {
    task_id: first.id,
    body_markdown: say('comment'),
  })
  const file = await use<{ id: string; file: { id: string } }>(door, 'add_task_attachment', {
    task_id: first.id,
    name: `${word}.txt`,
    content_base64: Buffer.from(say('file')).toString('base64'),
  })
  const template = await make('create_task_template', {
    name: say('template'),
    from_task_id: first.id,
    project_id: key,
  })
  const view = await make('create_saved_view', {
    name: say('view'),
    item_type: 'task',
    filter: { project_id: key },
  })
  const hook = await ifAllowed('create_webhook', {
    url: `http://${deafHost}/${randomUUID()}`,
    events: ['task.created'],
    name: say('webhook'),
  })
  const trashedTask = await make('create_task', { project_id: key, title: say('trashed task') })
  await use(door, 'delete_task', { task_id: trashedTask.id })
  const [call] = (
    await use<{ items: { id: string; key: { id: string } }[] }>(door, 'list_api_calls', {
      limit: 1,
      kind: 'write',
    })
  ).items
  const things = {
    ...(await plantOpenly((tool, args) => use(door, tool, args), say)),
    person: [me.id, me.email],
    project: [project.id, key],
    custom_field: [field.id],
    sprint: [sprint.id],
    milestone: [milestone.id],
    label: [label.id],
    team,
    time_off: [away.id],
    task: [first.id, second.id, first.key],
    comment: [comment.id],
    attachment: [file.id],
    file: [file.file.id],
    task_template: [template.id],
    saved_view: [view.id],
    webhook: hook,
    trashed: [trashedTask.id],
    api_call: [call!.id],
    api_key: [call!.key.id],
  }
  return plantModules((tool, args) => use(door, tool, args), say, things, store)
}
