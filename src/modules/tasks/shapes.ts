import { shape } from '../../kernel/shape.ts'
import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { day, datetimeString, unresolvedMentionsField } from '../../kernel/fields.ts'
import { prepared } from '../../records/prepared.ts'
import { prefixOf, type Id } from '../../kernel/ids.ts'
import { notFound } from '../../kernel/refusal.ts'
import { resourceByPrefix, type Row } from '../../records/resource.ts'
import { dayAt, iso } from '../../kernel/time/times.ts'
import { label } from '../labels/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref } from '../../records/shapes.ts'
import { customField, project } from '../portfolio/access.ts'
import { categoryEnum, projectRef } from '../portfolio/shapes.ts'
import { momentsIn, showDue, showStart } from './lists/dates.ts'
import { attachment, task, taskDependency, taskTemplate } from './access.ts'
import {
  taskMarks,
  taskNames,
  watchersOf,
  type ListedRow,
  type Marks,
} from './lists/access-lists.ts'
import { nextAfter, type Repeat } from '../../kernel/time/recurrence.ts'

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
  blocked_by: z.array(Ref),
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
  comment_count: z.int(),
  position: z.string(),
  watching: z.boolean(),
}

/** A task in lists: without its description (unless `fields` asks for it), watchers and attachments. */
export const ListedTask = shape('ListedTask', taskFields)

/** One task whole, with what `include` asked for and what an operation reports beside it. */
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
  /** complete_task: tasks that nothing blocks any more. */
  unblocked: z.array(Ref).optional(),
  /** complete_task: the next one of a repeating task. */
  next_occurrence: Ref.optional(),
  /** What a move could not carry over, in words. */
  notes: z.array(z.string()).optional(),
})

export const dependencyTypes = ['blocked_by', 'blocks', 'relates_to', 'duplicates'] as const

export const TaskDependency = shape('TaskDependency', {
  task: Ref,
  other: Ref,
  type: z.enum(dependencyTypes),
})

export const DependencyGraph = shape('DependencyGraph', {
  root: Ref,
  nodes: z.array(
    z.strictObject({
      task: Ref,
      status_category: categoryEnum,
      due_at: datetimeString().optional(),
      due_on: day().optional(),
      due_local: z.string().optional(),
      depth: z.int(),
    }),
  ),
  edges: z.array(TaskDependency),
  /** What has to be done one after the other, first things first. */
  critical_path: z.array(Ref),
  warnings: z.array(
    z.strictObject({
      kind: z.enum(['cycle', 'late_blocker', 'hidden_blocker_count']),
      detail: z.string(),
    }),
  ),
  truncated: z
    .strictObject({ reason: z.string(), bytes: z.int(), how_to_continue: z.string() })
    .optional(),
})

export const TaskTemplate = shape('TaskTemplate', {
  ...common,
  name: z.string(),
  outline: z.record(z.string(), z.unknown()),
  variables: z.array(z.string()),
  project: Ref.optional(),
  use_count: z.int(),
})

export type ListedTaskShape = z.infer<typeof ListedTask>

/** A task of a list whose `fields` left at least these. */
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

/** What a prompt tells of a task, people by their names. */
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

/** Tasks as lists show them: a fixed number of queries, however many tasks. The rows were seen. */
export async function showTasks(
  ctx: ReadContext,
  rows: readonly ListedRow[],
  options: { body?: boolean } = {},
): Promise<ListedTaskShape[]> {
  const shown: ListedTaskShape[] = []
  for (let i = 0; i < rows.length; i += 100) {
    const some = rows.slice(i, i + 100)
    const around = await surroundings(ctx, some)
    for (const row of some) shown.push(showTask(ctx, row, around, options.body ?? false))
  }
  return shown
}

const oneTask = prepared<{ id: Id<'tasks'> }, Row<'tasks'>>((s, { id }) =>
  task.visibleTo(s).selectAll('tasks').where('tasks.id', '=', id),
)

/** One task with its description, watchers and attachments, read anew so that it shows what this call changed. */
export async function presentTask(
  ctx: ReadContext,
  id: Id<'tasks'>,
): Promise<z.infer<typeof Task>> {
  const [row] = await oneTask(ctx, { id })
  if (!row) throw notFound('task')
  const [shape] = await showTasks(ctx, [row], { body: true })
  return {
    ...shape!,
    watchers: await watchersOf(ctx, { id }),
    attachments: await showAttachments(ctx, id),
  }
}

export function taskRef(row: Pick<Row<'tasks'>, 'id' | 'title' | 'key'>): Ref {
  return { id: row.id, title: row.title, key: row.key }
}

/** References to tasks among those that the caller sees. */
export async function taskRefs(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Ref>> {
  return new Map([...(await task.among(ctx, ids))].map(([id, row]) => [id, taskRef(row)]))
}

/** All that the tasks of a list refer to. */
interface Around {
  marks: Map<string, Marks>
  names: Map<string, Ref>
  links: Map<string, Links>
  sources: Map<string, z.infer<typeof ItemRef>>
  fields: Row<'custom_fields'>[]
}

async function surroundings(ctx: ReadContext, rows: readonly ListedRow[]): Promise<Around> {
  const marks = new Map<string, Marks>()
  for (const taskMark of await taskMarks(ctx, { ids: rows.map((row) => row.id) }))
    marks.set(taskMark.id, taskMark)
  const linked = rows.filter((row) => marks.get(row.id)?.links)
  const withFields = rows.filter((row) => row.custom_fields_json !== '{}')
  const sourced = rows.filter((row) => row.source_id !== null)
  return {
    marks,
    names: await namesOf(ctx, rows, marks),
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
    fields: withFields.length > 0 ? await fieldsOf(ctx, withFields) : [],
  }
}

/** Ids that one query of names takes of a kind; more are fetched by another. */
const most = 400

/** References by id: projects, statuses, people, labels, sprints, milestones and parents share one map, since ids never collide. */
async function namesOf(
  ctx: ReadContext,
  rows: readonly ListedRow[],
  marks: Map<string, Marks>,
): Promise<Map<string, Ref>> {
  const of = {
    projects: new Set<string>(),
    statuses: new Set<string>(),
    people: new Set<string>(),
    labels: new Set<string>(),
    sprints: new Set<string>(),
    milestones: new Set<string>(),
    parents: new Set<string>(),
  }
  for (const row of rows) {
    const mark = marks.get(row.id)
    of.projects.add(row.project_id)
    of.statuses.add(row.status_id)
    of.people.add(row.created_by)
    for (const id of split(mark?.assignees)) of.people.add(id)
    for (const id of split(mark?.labels)) of.labels.add(id)
    if (row.sprint_id !== null) of.sprints.add(row.sprint_id)
    if (row.milestone_id !== null) of.milestones.add(row.milestone_id)
    if (row.parent_id !== null) of.parents.add(row.parent_id)
  }
  const list = (ids: Set<string>) => (ids.size === 0 ? null : [...ids].slice(0, most))
  const found = await taskNames(ctx, {
    projects: [...of.projects],
    statuses: [...of.statuses],
    people: [...of.people].slice(0, most),
    labels: list(of.labels),
    sprints: list(of.sprints),
    milestones: list(of.milestones),
    parents: list(of.parents),
  })
  const names = new Map<string, Ref>()
  for (const { id, title, key } of found)
    names.set(id, key === null ? { id, title } : { id, title, key })
  if (of.people.size > most)
    for (const [id, ref] of await peopleRefs(ctx, of.people)) names.set(id, ref)
  if (of.labels.size > most)
    for (const [id, row] of await label.among(ctx, [...of.labels]))
      names.set(id, { id, title: row.name })
  return names
}

function split(ids: string | null | undefined): string[] {
  return ids ? ids.split(' ') : []
}

const noLinks: Links = { blockedBy: [], blocks: [], open: false }

function showTask(
  ctx: ReadContext,
  row: ListedRow,
  { marks, names, links: allLinks, sources, fields }: Around,
  body: boolean,
): ListedTaskShape {
  const mark = marks.get(row.id)
  const links = allLinks.get(row.id) ?? noLinks
  const named = (ids: string | null | undefined) => split(ids).flatMap((id) => names.get(id) ?? [])
  const [total = 0, done = 0] = mark?.subtasks ? mark.subtasks.split(' ').map(Number) : []
  const shape: ListedTaskShape = {
    ...commonOf(row, task.url(row as Row<'tasks'>, ctx.baseUrl), names),
    key: row.key,
    title: row.title,
    project: names.get(row.project_id)!,
    status: names.get(row.status_id)?.title ?? '',
    status_category: row.status_category,
    priority: row.priority,
    assignees: named(mark?.assignees),
    time_spent_minutes: mark?.spent ?? 0,
    subtask_counts: { total, done },
    blocked: links.open,
    blocked_by: links.blockedBy,
    blocks: links.blocks,
    labels: named(mark?.labels),
    custom_fields: showFields(row, fields),
    comment_count: mark?.comments ?? 0,
    position: row.position,
    watching: Boolean(mark?.watching),
  }
  if (body && row.description_markdown != null)
    shape.description_markdown = row.description_markdown
  if (row.due_at !== null) Object.assign(shape, showDue(row, ctx.actor.timezone))
  if (row.start_at !== null) Object.assign(shape, showStart(row, ctx.actor.timezone))
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
  return shape
}

function recurrenceOf(
  ctx: ReadContext,
  row: ListedRow,
): NonNullable<ListedTaskShape['recurrence']> {
  const next = nextOf(ctx, row)
  return present({
    rrule: row.recurrence_rrule!,
    timezone: row.recurrence_timezone!,
    create_next: row.recurrence_create_next!,
    ends_on: row.recurrence_ends_on,
    ...(next === null
      ? {}
      : present({
          next_at: iso(next),
          next_on: repeatsByDay(row) ? dayAt(next, row.recurrence_timezone!) : undefined,
        })),
  })
}

/** Whether the tasks of a rule are due on days: the due date is one, or the rule was set on a task without dates. */
export function repeatsByDay(row: Pick<Row<'tasks'>, 'due_at' | 'due_on' | 'start_at'>): boolean {
  return row.due_at === null ? row.start_at === null : row.due_on !== null
}

/** The moment after which a task repeats: its date in the zone of the rule, or now where that is later. */
export function latestOf(row: Parameters<typeof momentsIn>[0], zone: string, now: number): number {
  const { due_at, start_at } = momentsIn(row, zone)
  return Math.max(now, due_at ?? start_at ?? 0)
}

/** The rule of a task that repeats. */
export function repeatOf(row: ListedRow): Repeat {
  return {
    rrule: row.recurrence_rrule!,
    timezone: row.recurrence_timezone!,
    start: row.recurrence_start!,
    endsOn: row.recurrence_ends_on,
  }
}

/** What tasks were made from, parts of items (a comment of a page) included, as far as the caller sees it. */
async function sourceRefs(
  ctx: ReadContext,
  rows: readonly ListedRow[],
): Promise<Map<string, z.infer<typeof ItemRef>>> {
  const ids = rows.flatMap((row) => row.source_id ?? [])
  const refs = new Map<string, z.infer<typeof ItemRef>>()
  for (const [prefix, some] of Map.groupBy(ids, prefixOf)) {
    const from = resourceByPrefix(prefix)
    for (const [id, row] of (await from?.among(ctx, some)) ?? [])
      refs.set(id, from!.ref(row, ctx.baseUrl))
  }
  return refs
}

/** When the next one would be due: what was kept, unless time or a new due date has passed it. */
function nextOf(ctx: ReadContext, row: ListedRow): number | null {
  const kept = row.recurrence_next_at
  const after = latestOf(row, row.recurrence_timezone!, ctx.now)
  if (kept === null || kept > after || row.recurrence_create_next === 'on_schedule') return kept
  return nextAfter(repeatOf(row), after) ?? null
}

interface Links {
  blockedBy: Ref[]
  blocks: Ref[]
  /** Whether a blocker is still open. */
  open: boolean
}

/** Blockers both ways; a task that the caller cannot see is left out, and does not count. */
async function linksOf(ctx: ReadContext, ids: readonly Id<'tasks'>[]): Promise<Map<string, Links>> {
  const down = await taskDependency
    .of(ctx, ids)
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  const up = await taskDependency
    .of(ctx, ids, 'other_id')
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  const found = new Map<string, Links>()
  if (down.length + up.length === 0) return found
  const others = await task.among(ctx, [
    ...down.map((item) => item.other_id),
    ...up.map((item) => item.task_id),
  ])
  const at = (id: string) =>
    found.get(id) ?? found.set(id, { blockedBy: [], blocks: [], open: false }).get(id)!
  for (const item of down) {
    const other = others.get(item.other_id)
    if (!other) continue
    at(item.task_id).blockedBy.push(taskRef(other))
    if (isOpen(other)) at(item.task_id).open = true
  }
  for (const item of up) {
    const other = others.get(item.task_id)
    if (other) at(item.other_id).blocks.push(taskRef(other))
  }
  return found
}

export function isOpen(row: Pick<Row<'tasks'>, 'status_category'>): boolean {
  return row.status_category !== 'done' && row.status_category !== 'cancelled'
}

async function fieldsOf(
  ctx: ReadContext,
  rows: readonly ListedRow[],
): Promise<Row<'custom_fields'>[]> {
  return customField
    .visibleTo(ctx)
    .selectAll('custom_fields')
    .where('custom_fields.project_id', 'in', [...new Set(rows.map((row) => row.project_id))])
    .execute()
}

/** Values by the name of their field, options by their name; what a retired field holds is not shown. */
function showFields(
  row: ListedRow,
  fields: readonly Row<'custom_fields'>[],
): Record<string, unknown> {
  if (row.custom_fields_json === '{}') return {}
  const values = JSON.parse(row.custom_fields_json) as Record<string, unknown>
  const shown = fields.filter(
    (field) => field.project_id === row.project_id && field.retired === 0 && field.id in values,
  )
  return Object.fromEntries(shown.map((field) => [field.name, showValue(field, values[field.id])]))
}

function showValue(field: Row<'custom_fields'>, value: unknown): unknown {
  if (field.type !== 'select' && field.type !== 'multi_select') return value
  const options = JSON.parse(field.options_json) as { id: string; name: string }[]
  const name = (id: unknown) => options.find((option) => option.id === id)?.name ?? id
  return Array.isArray(value) ? value.map(name) : name(value)
}

const attachmentRows = prepared<
  { task: Id<'tasks'> },
  Row<'task_attachments'> &
    Pick<Row<'files'>, 'mime_type' | 'size_bytes' | 'place'> & { file_name: string }
>(
  (s, { task: id }) =>
    attachment
      .of(s, [id])
      .leftJoin('files', 'files.id', 'task_attachments.file_id')
      .selectAll('task_attachments')
      .select(['files.mime_type', 'files.size_bytes', 'files.place', 'files.name as file_name'])
      .orderBy('task_attachments.id') as never,
)

/** Attachments of one task that was seen. */
export async function showAttachments(
  ctx: ReadContext,
  id: Id<'tasks'>,
): Promise<z.infer<typeof Attachment>[]> {
  const rows = await attachmentRows(ctx, { task: id })
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    present({
      ...commonOf(row, attachment.url(row, ctx.baseUrl), people),
      name: row.name,
      kind: row.kind,
      file:
        row.file_id === null
          ? undefined
          : {
              id: row.file_id,
              title: row.place === 'attached' ? row.file_name : row.name,
              url: `${ctx.baseUrl}/files/${row.file_id}`,
            },
      web_url: row.web_url,
      mime_type: row.mime_type,
      size_bytes: row.size_bytes,
    }),
  )
}

/** Comments of one task that was seen. */
export async function showComments(
  ctx: ReadContext,
  on: Row<'tasks'>,
  rows: readonly Row<'task_comments'>[],
): Promise<z.infer<typeof Comment>[]> {
  const mentions = new Map(rows.map((row) => [row.id, JSON.parse(row.mentions_json) as string[]]))
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...[...mentions.values()].flat(),
  ])
  return rows.map((row) =>
    present({
      ...commonOf(row, `${task.url(on, ctx.baseUrl)}#${row.id}`, people),
      body_markdown: row.body_markdown,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
      on: task.ref(on, ctx.baseUrl),
      reply_to: row.reply_to_id,
      resolved: false,
      edited_at: row.edited_at === null ? undefined : iso(row.edited_at),
      mentions: mentions.get(row.id)!.flatMap((id) => people.get(id) ?? []),
    }),
  )
}

/** Templates as answers show them. */
export async function showTemplates(
  ctx: ReadContext,
  rows: readonly Row<'task_templates'>[],
): Promise<z.infer<typeof TaskTemplate>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  return rows.map((row) => {
    const of = row.project_id && projects.get(row.project_id)
    return present({
      ...commonOf(row, taskTemplate.url(row, ctx.baseUrl), people),
      name: row.name,
      outline: JSON.parse(row.outline_json) as Record<string, unknown>,
      variables: JSON.parse(row.variables_json) as string[],
      project: of ? projectRef(of) : undefined,
      use_count: row.use_count,
    })
  })
}
