import { z } from 'zod'
import { chunks } from '../../kernel/chunks.ts'
import { datetimeString, day, unresolvedMentionsField } from '../../kernel/fields.ts'
import { type Id, prefixOf } from '../../kernel/ids.ts'
import { shape } from '../../kernel/shape.ts'
import { iso } from '../../kernel/time/times.ts'
import type { ReadContext } from '../../operations/context.ts'
import { type Row, resourceByPrefix } from '../../records/resource.ts'
import { ItemRef, Ref, common, commonOf, trust, trustOf } from '../../records/shapes.ts'
import { delegatesOf } from '../activity/access.ts'
import { categoryEnum } from '../portfolio/shapes.ts'
import { task, taskDependency } from './access.ts'
import { type ListedRow, type TaskExtras, taskExtras } from './lists/access-lists.ts'
import { presentDue, presentStart } from './lists/dates.ts'
import { listedFieldsOf, presentFields } from './presentation/custom-values.ts'
import { recurrenceOf } from './tasks/next-occurrence.ts'
import { referencedNames, splitIds } from './presentation/referenced-names.ts'

export const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const
export const priorityEnum = z.enum(priorities)

export const Attachment = shape('Attachment', {
  ...common,
  name: z.string(),
  kind: z.enum(['file', 'link']),
  file: Ref.optional(),
  web_url: z.string().optional(),
  mime_type: z.string().optional(),
  size_bytes: z.int().optional(),
})

export const Comment = shape('TaskComment', {
  ...common,
  body_markdown: z.string(),
  author: Ref,
  on: ItemRef,
  reply_to: z.string().optional(),
  resolved: z.boolean(),
  edited_at: datetimeString().optional(),
  mentions: z.array(Ref),
  unresolved_mentions: unresolvedMentionsField(),
})

/** The key that works on a task on behalf of its assignees. */
const TaskDelegate = shape('TaskDelegate', {
  id: z.string().optional(),
  title: z.string().optional().describe('shown to its owner and to administrators'),
  owner: Ref,
  state: z.enum(['active', 'paused', 'ended']),
})

/** A blocker of a task. */
const BlockerRef = shape('BlockerRef', {
  ...Ref.shape,
  status_category: categoryEnum,
})

const taskFields = {
  ...common,
  key: z.string(),
  title: z.string(),
  description_markdown: z.string().optional(),
  project: Ref,
  status: z.string(),
  status_category: categoryEnum,
  priority: priorityEnum,
  assignees: z.array(Ref),
  delegate: TaskDelegate.optional(),
  watchers: z.array(Ref).optional(),
  due_at: datetimeString().optional(),
  due_on: day().optional().describe('the day, if the due date is a day'),
  due_local: z.string().optional().describe('else the due time in your time zone'),
  start_at: datetimeString().optional(),
  start_on: day().optional(),
  start_local: z.string().optional(),
  completed_at: datetimeString().optional(),
  estimate_minutes: z.int().optional(),
  points: z.number().optional(),
  time_spent_minutes: z.int(),
  parent: Ref.optional(),
  subtask_counts: z.strictObject({ total: z.int(), done: z.int() }),
  blocked: z.boolean(),
  blocked_by: z.array(BlockerRef).describe('open ones and those that are done'),
  blocks: z.array(Ref),
  sprint: Ref.optional(),
  milestone: Ref.optional(),
  labels: z.array(Ref),
  custom_fields: z.record(z.string(), z.unknown()),
  recurrence: z
    .strictObject({
      rrule: z.string(),
      timezone: z.string(),
      create_next: z.enum(['on_schedule', 'on_completion']),
      ends_on: day().optional(),
      next_at: datetimeString().optional(),
      next_on: day().optional(),
    })
    .optional(),
  source: ItemRef.optional(),
  trust,
  comment_count: z.int(),
  position: z.string(),
  watching: z.boolean(),
}

/** A task in lists: without watchers, attachments and (unless `fields` includes it) its description. */
export const ListedTask = shape('ListedTask', taskFields)

/** A complete task, with the parts requested by `include` and details reported by an operation. */
export const Task = shape('Task', {
  ...taskFields,
  attachments: z.array(Attachment).optional(),
  subtasks: z.array(ListedTask).optional(),
  dependencies: z
    .array(
      z.strictObject({
        type: z.enum(['blocked_by', 'blocks', 'relates_to', 'duplicates']),
        task: Ref,
        status_category: categoryEnum,
      }),
    )
    .optional(),
  comments: z.array(Comment).optional(),
  activity: z.array(z.record(z.string(), z.unknown())).optional(),
  time: z
    .strictObject({ total_minutes: z.int(), entries: z.array(z.record(z.string(), z.unknown())) })
    .optional(),
  /** complete_task: tasks that are no longer blocked. */
  unblocked: z.array(Ref).optional(),
  /** complete_task: the next occurrence of a repeating task. */
  next_occurrence: Ref.optional(),
  /** Describes in words what a move could not carry over. */
  notes: z.array(z.string()).optional(),
})

export type ListedTaskShape = z.infer<typeof ListedTask>

/** A task of a list whose `fields` include at least these. */
export type TaskOutline = Pick<
  ListedTaskShape,
  | 'key'
  | 'title'
  | 'status'
  | 'status_category'
  | 'priority'
  | 'assignees'
  | 'due_on'
  | 'due_local'
  | 'completed_at'
  | 'points'
  | 'estimate_minutes'
  | 'blocked'
  | 'updated_at'
>

/** Summarizes a task on one line for a prompt, with people by name. */
export function taskSummaryLine({
  key,
  title,
  status,
  status_category,
  priority,
  assignees,
  due_on,
  due_local,
  completed_at,
  points,
  estimate_minutes,
  blocked,
  updated_at,
}: TaskOutline) {
  return {
    key,
    title,
    status,
    status_category,
    priority,
    assignees: assignees.map((assignee) => assignee.title),
    due: due_on ?? due_local,
    completed_at,
    points,
    estimate_minutes,
    blocked: blocked || undefined,
    updated_at,
  }
}

/** Presents tasks for lists, with a fixed number of queries. Visibility was checked. */
export async function presentTasks(
  ctx: ReadContext,
  rows: readonly ListedRow[],
  options: { body?: boolean } = {},
): Promise<ListedTaskShape[]> {
  const presented: ListedTaskShape[] = []
  for (const batch of chunks(rows, 100)) {
    const context = await taskContextOf(ctx, batch)
    for (const row of batch) presented.push(presentTask(ctx, row, context, options.body ?? false))
  }
  return presented
}

export function taskRef(row: Pick<Row<'tasks'>, 'id' | 'title' | 'key' | 'trust'>): Ref {
  return { id: row.id, title: row.title, key: row.key, ...trustOf(row.trust === 'external') }
}

/** References to the tasks that the caller can see. */
export async function taskRefs(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Ref>> {
  return new Map([...(await task.among(ctx, ids))].map(([id, row]) => [id, taskRef(row)]))
}

/** Everything that the tasks of a list refer to. */
interface TaskContext {
  marks: Map<string, TaskExtras>
  names: Map<string, Ref>
  links: Map<string, Links>
  sources: Map<string, z.infer<typeof ItemRef>>
  delegates: Map<string, z.infer<typeof TaskDelegate>>
  fields: Row<'custom_fields'>[]
}

async function taskContextOf(ctx: ReadContext, rows: readonly ListedRow[]): Promise<TaskContext> {
  const marks = new Map<string, TaskExtras>()
  for (const taskMark of await taskExtras(ctx, { ids: rows.map((row) => row.id) }))
    marks.set(taskMark.id, taskMark)
  const linked = rows.filter((row) => marks.get(row.id)?.links)
  const withFields = rows.filter((row) => row.custom_fields_json !== '{}')
  const sourced = rows.filter((row) => row.source_id !== null)
  return {
    marks,
    names: await referencedNames(ctx, rows, marks),
    links:
      linked.length > 0
        ? await linksOf(
            ctx,
            linked.map((row) => row.id),
          )
        : new Map<string, Links>(),
    sources:
      sourced.length > 0
        ? await sourceRefs(ctx, sourced)
        : new Map<string, z.infer<typeof ItemRef>>(),
    delegates: await delegatesOf(
      ctx,
      rows.flatMap((row) => row.delegate_key_id ?? []),
    ),
    fields: withFields.length > 0 ? await listedFieldsOf(ctx, withFields) : [],
  }
}

const noLinks: Links = { blockedBy: [], blocks: [], isBlocked: false }

function presentTask(
  ctx: ReadContext,
  row: ListedRow,
  { marks, names, links: allLinks, sources, delegates, fields }: TaskContext,
  body: boolean,
): ListedTaskShape {
  const mark = marks.get(row.id)
  const links = allLinks.get(row.id) ?? noLinks
  const refsOf = (ids: string | null | undefined) =>
    splitIds(ids).flatMap((id) => names.get(id) ?? [])
  const [total = 0, done = 0] = mark?.subtasks ? mark.subtasks.split(' ').map(Number) : []
  const shape: ListedTaskShape = {
    ...commonOf(row, task.url(row as Row<'tasks'>, ctx.baseUrl), names),
    key: row.key,
    title: row.title,
    project: names.get(row.project_id)!,
    status: names.get(row.status_id)?.title ?? '',
    status_category: row.status_category,
    priority: row.priority,
    assignees: refsOf(mark?.assignees),
    time_spent_minutes: mark?.spent ?? 0,
    subtask_counts: { total, done },
    blocked: links.isBlocked,
    blocked_by: links.blockedBy,
    blocks: links.blocks,
    labels: refsOf(mark?.labels),
    custom_fields: presentFields(row, fields),
    comment_count: mark?.comments ?? 0,
    position: row.position,
    watching: Boolean(mark?.watching),
  }
  if (body && row.description_markdown != null)
    shape.description_markdown = row.description_markdown
  if (row.due_at !== null) Object.assign(shape, presentDue(row, ctx.actor.timezone))
  if (row.start_at !== null) Object.assign(shape, presentStart(row, ctx.actor.timezone))
  if (row.completed_at !== null) shape.completed_at = iso(row.completed_at)
  if (row.estimate_minutes !== null) shape.estimate_minutes = row.estimate_minutes
  if (row.points !== null) shape.points = row.points
  for (const [name, id] of [
    ['parent', row.parent_id],
    ['sprint', row.sprint_id],
    ['milestone', row.milestone_id],
  ] as const) {
    const ref = id === null ? undefined : names.get(id)
    if (ref) shape[name] = ref
  }
  if (row.recurrence_rrule !== null) shape.recurrence = recurrenceOf(ctx, row)
  const source = row.source_id === null ? undefined : sources.get(row.source_id)
  if (source) shape.source = source
  if (row.trust === 'external') shape.trust = 'external'
  const delegate = row.delegate_key_id === null ? undefined : delegates.get(row.delegate_key_id)
  if (delegate) shape.delegate = delegate
  return shape
}

/**
 * Items from which tasks were created, including parts of items (such as a comment on a page), as far as the caller
 * may see them.
 */
async function sourceRefs(
  ctx: ReadContext,
  rows: readonly ListedRow[],
): Promise<Map<string, z.infer<typeof ItemRef>>> {
  const ids = rows.flatMap((row) => row.source_id ?? [])
  const refs = new Map<string, z.infer<typeof ItemRef>>()
  for (const [prefix, idsOfResource] of Map.groupBy(ids, prefixOf)) {
    const sourceResource = resourceByPrefix(prefix)
    for (const [id, row] of (await sourceResource?.among(ctx, idsOfResource)) ?? [])
      refs.set(id, sourceResource!.ref(row, ctx.baseUrl))
  }
  return refs
}

interface Links {
  blockedBy: z.infer<typeof BlockerRef>[]
  blocks: Ref[]
  /** True if a blocker is still open. */
  isBlocked: boolean
}

/** Blockers in both directions, without tasks that the caller cannot see. */
async function linksOf(ctx: ReadContext, ids: readonly Id<'tasks'>[]): Promise<Map<string, Links>> {
  const blockerLinks = await taskDependency
    .of(ctx, ids)
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  const dependentLinks = await taskDependency
    .of(ctx, ids, 'other_id')
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  const linksById = new Map<string, Links>()
  if (blockerLinks.length + dependentLinks.length === 0) return linksById
  const others = await task.among(ctx, [
    ...blockerLinks.map((item) => item.other_id),
    ...dependentLinks.map((item) => item.task_id),
  ])
  const linksFor = (id: string) =>
    linksById.get(id) ?? linksById.set(id, { blockedBy: [], blocks: [], isBlocked: false }).get(id)!
  for (const item of blockerLinks) {
    const other = others.get(item.other_id)
    if (!other) continue
    linksFor(item.task_id).blockedBy.push({
      ...taskRef(other),
      status_category: other.status_category,
    })
    if (isOpenTask(other)) linksFor(item.task_id).isBlocked = true
  }
  for (const item of dependentLinks) {
    const other = others.get(item.task_id)
    if (other) linksFor(item.other_id).blocks.push(taskRef(other))
  }
  return linksById
}

export function isOpenTask(row: Pick<Row<'tasks'>, 'status_category'>): boolean {
  return row.status_category !== 'done' && row.status_category !== 'cancelled'
}
