import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { linksReachableFrom, task, taskDependency, type DirectedType } from '../access.ts'
import { pathBetween } from './cycles.ts'
import { presentGraph } from './graph.ts'
import { DependencyGraph, TaskDependency, dependencyTypes } from './shapes.ts'
import { taskRef } from '../shapes.ts'

const maxLinks = 200

export const getTaskDependencies = operation({
  name: 'get_task_dependencies',
  searchHint: 'what is blocking, what holds it up, critical path, what waits for it',
  kind: 'read',
  rest: 'GET /api/tasks/{task_id}/dependencies',
  about:
    'Tasks that block or are blocked by a task, to a given depth, with the critical path and cycle warnings',
  on: { task: task.see },
  input: {
    depth: z.int().min(1).max(10).default(3).describe('how many links away'),
    direction: z
      .enum(['upstream', 'downstream', 'both'])
      .default('both')
      .describe('upstream: its blockers; downstream: tasks it blocks'),
  },
  reportsProgress: true,
  output: DependencyGraph,
  async handle({ task: row, depth, direction }, ctx) {
    return presentGraph(ctx, row, depth, direction)
  },
})

export const addTaskDependency = operation({
  name: 'add_task_dependency',
  searchHint: 'blocked by, blocks, waiting for another ticket, depends on, mark as duplicate',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/tasks/{task_id}/dependencies/{other_task_id}',
  about: 'Link a task as blocked by, related to or duplicate of another; rejects cycles',
  on: { task: task.edit, other: task.see.named('other_task_id') },
  input: {
    type: z
      .enum(dependencyTypes)
      .default('blocked_by')
      .describe('how task_id relates to the other'),
  },
  output: TaskDependency,
  async handle({ task: row, other, type }, ctx) {
    if (row.id === other.id) throw invalid('other_task_id', 'a task cannot be linked to itself.')
    if (type === 'blocks') await addDependency(ctx, other, row, 'blocked_by')
    else await addDependency(ctx, row, other, type)
    return { task: taskRef(row), other: taskRef(other), type }
  },
})

export const removeTaskDependency = operation({
  name: 'remove_task_dependency',
  searchHint: 'unblock, no longer blocked, no longer depends on',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/tasks/{task_id}/dependencies/{other_task_id}',
  about: 'Remove the link between two tasks',
  on: { task: task.edit, other: task.see.named('other_task_id') },
  output: DeletedRef,
  async handle({ task: row, other }, ctx) {
    const links = await linksBetween(ctx, row, other)
    if (links.length === 0)
      throw new Refusal('not_found', `${row.key} and ${other.key} are not linked.`, {
        field: 'other_task_id',
      })
    for (const entry of links) await ctx.remove('task_dependencies', entry)
    const item = {
      type: 'task_dependency',
      id: `${row.id}/${other.id}`,
      title: links.map((entry) => linkText(entry, row, other)).join(', '),
      url: task.url(row, ctx.baseUrl),
    }
    return deletedRef(ctx, item, [], { erased: true })
  },
})

/** An existing link is left as it is; "relates to" is symmetric. */
async function addDependency(
  ctx: WriteContext,
  from: Row<'tasks'>,
  to: Row<'tasks'>,
  type: Row<'task_dependencies'>['type'],
): Promise<void> {
  const existing = (await linksBetween(ctx, from, to)).filter((row) => row.type === type)
  if (existing.some((row) => row.task_id === from.id || type === 'relates_to')) return
  if (type !== 'relates_to') await refuseCycle(ctx, from, to, type)
  await requireLinkCapacity(ctx, from.id)
  await ctx.add('task_dependencies', { task_id: from.id, other_id: to.id, type })
}

/** The refusal names the tasks on the path that the caller can see, and does not reveal whether there are others. */
async function refuseCycle(
  ctx: WriteContext,
  from: Row<'tasks'>,
  to: Row<'tasks'>,
  type: DirectedType,
): Promise<void> {
  const links = (await linksReachableFrom(ctx, to.id, type)).map((item) => ({
    from: item.task_id,
    to: item.other_id,
  }))
  const path = pathBetween(links, to.id, from.id)
  if (!path) return
  const visible = await task.among(ctx, path)
  const keys = path.flatMap((id) => visible.get(id)?.key ?? [])
  const verb = type === 'blocked_by' ? 'depends on' : 'duplicates'
  throw new Refusal(
    'conflict',
    `This link would create a cycle: ${to.key} already ${verb} ${from.key}, directly or indirectly (${keys.join(' → ')}).`,
    {
      field: 'other_task_id',
      hint: 'Remove one of the links in this chain first.',
      context: { path: keys },
    },
  )
}

async function requireLinkCapacity(ctx: WriteContext, id: Id<'tasks'>): Promise<void> {
  const { count } = await taskDependency
    .of(ctx, [id])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxLinks)
    throw new Refusal(
      'conflict',
      `This task already has ${maxLinks} links, the maximum.`,
      'Group the blockers under one task.',
    )
}

async function linksBetween(
  ctx: ReadContext,
  row: Row<'tasks'>,
  other: Row<'tasks'>,
): Promise<Row<'task_dependencies'>[]> {
  const ids = [row.id, other.id]
  return taskDependency
    .of(ctx, ids)
    .selectAll('task_dependencies')
    .where('task_dependencies.other_id', 'in', ids)
    .execute()
}

function linkText(item: Row<'task_dependencies'>, row: Row<'tasks'>, other: Row<'tasks'>): string {
  const [from, to] = item.task_id === row.id ? [row, other] : [other, row]
  return `${from.key} ${item.type.replaceAll('_', ' ')} ${to.key}`
}
