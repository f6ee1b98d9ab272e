import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { yieldOrCancel } from '../../../operations/call/progress.ts'
import type { Row } from '../../../records/resource.ts'
import { countOpen, task, taskDependency } from '../access.ts'
import { criticalPath } from './critical-path.ts'
import { findCycles, type DependencyLink } from './cycles.ts'
import { dueDay, presentDue } from '../lists/dates.ts'
import { isOpenTask, taskRef } from '../shapes.ts'
import type { DependencyGraph } from './shapes.ts'

const maxNodes = 1000

type Graph = z.infer<typeof DependencyGraph>
type Direction = 'upstream' | 'downstream' | 'both'

interface Node {
  row: Row<'tasks'>
  depth: number
}

/**
 * Presents the tasks that a task waits for and those that wait for it, as far as the caller sees them: paths lead
 * through visible tasks only.
 */
export async function presentGraph(
  ctx: ReadContext,
  root: Row<'tasks'>,
  depth: number,
  direction: Direction,
): Promise<Graph> {
  const nodes = new Map<string, Node>([[root.id, { row: root, depth: 0 }]])
  const isUpstreamComplete =
    direction === 'downstream'
      ? true
      : await collectDependencies(ctx, root, nodes, depth, 'upstream')
  const isDownstreamComplete =
    direction === 'upstream'
      ? true
      : await collectDependencies(ctx, root, nodes, depth, 'downstream')
  const rows = [...nodes.values()].map((node) => node.row)
  const blockerLinks = await blockersOf(ctx, rows)
  const links = blockerLinks.filter((item) => nodes.has(item.to))
  const ref = (id: string) => taskRef(nodes.get(id)!.row)
  const openMinutes = new Map(
    rows.filter(isOpenTask).map((row) => [row.id as string, row.estimate_minutes ?? 0]),
  )
  return {
    root: taskRef(root),
    nodes: [...nodes.values()].map((node) => presentNode(ctx, node)),
    edges: links.map((link) => ({
      task: ref(link.from),
      other: ref(link.to),
      type: 'blocked_by' as const,
    })),
    critical_path: criticalPath(links, openMinutes, root.id).map(ref),
    warnings: [
      ...cycleWarnings(links, nodes),
      ...lateWarnings(ctx, links, nodes),
      ...(direction === 'downstream' ? [] : await hiddenWarnings(ctx, blockerLinks)),
    ],
    ...(isUpstreamComplete && isDownstreamComplete
      ? {}
      : {
          truncated: {
            reason: `only the nearest ${maxNodes} tasks are shown`,
            bytes: 0,
            how_to_continue: 'Use a smaller depth or one direction, or start from another task.',
          },
        }),
  }
}

/** Breadth-first, so that each task is listed at its shortest distance. Returns whether the traversal was complete. */
async function collectDependencies(
  ctx: ReadContext,
  root: Row<'tasks'>,
  nodes: Map<string, Node>,
  depth: number,
  direction: 'upstream' | 'downstream',
): Promise<boolean> {
  let level = [root]
  for (let distance = 1; distance <= depth && level.length > 0; distance++) {
    await yieldOrCancel(ctx)
    ctx.progress(nodes.size, undefined, 'linked tasks found')
    const ids = await neighbours(ctx, level, direction)
    const rows = [
      ...(
        await task.among(
          ctx,
          ids.filter((id) => !nodes.has(id)),
        )
      ).values(),
    ]
    if (nodes.size + rows.length > maxNodes) return false
    for (const row of rows) nodes.set(row.id, { row, depth: distance })
    level = rows
  }
  return true
}

async function neighbours(
  ctx: ReadContext,
  level: readonly Row<'tasks'>[],
  direction: 'upstream' | 'downstream',
): Promise<string[]> {
  const [by, other] =
    direction === 'upstream'
      ? (['task_id', 'other_id'] as const)
      : (['other_id', 'task_id'] as const)
  const dependencies = await taskDependency
    .of(
      ctx,
      level.map((row) => row.id),
      by,
    )
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  return dependencies.map((item) => item[other])
}

async function blockersOf(
  ctx: ReadContext,
  rows: readonly Row<'tasks'>[],
): Promise<(DependencyLink & { to: Id<'tasks'> })[]> {
  const dependencies = await taskDependency
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .selectAll('task_dependencies')
    .where('task_dependencies.type', '=', 'blocked_by')
    .execute()
  return dependencies.map((item) => ({ from: item.task_id, to: item.other_id }))
}

function presentNode(ctx: ReadContext, { row, depth }: Node): Graph['nodes'][number] {
  return {
    task: taskRef(row),
    status_category: row.status_category,
    ...presentDue(row, ctx.actor.timezone),
    depth,
  }
}

function cycleWarnings(
  links: readonly DependencyLink[],
  nodes: Map<string, Node>,
): Graph['warnings'] {
  const key = (id: string) => nodes.get(id)!.row.key
  return findCycles(links).map((ids) => ({
    kind: 'cycle',
    detail: `${[...ids, ids[0]!].map(key).join(' → ')}: each depends on the next, so none can start.`,
  }))
}

function lateWarnings(
  ctx: ReadContext,
  links: readonly DependencyLink[],
  nodes: Map<string, Node>,
): Graph['warnings'] {
  const day = (row: Row<'tasks'>) => dueDay(row, ctx.actor.timezone)!
  return links.flatMap((link) => {
    const [waiting, blocker] = [nodes.get(link.from)!.row, nodes.get(link.to)!.row]
    if (
      !isOpenTask(blocker) ||
      !isOpenTask(waiting) ||
      blocker.due_at === null ||
      waiting.due_at === null ||
      !isLater(blocker, waiting)
    )
      return []
    return [
      {
        kind: 'late_blocker' as const,
        detail: `${blocker.key} is due ${day(blocker)}, after ${waiting.key}, which depends on it (${day(waiting)}).`,
      },
    ]
  })
}

/** True if one task is due after another; two due days are compared as days. */
function isLater(a: Row<'tasks'>, b: Row<'tasks'>): boolean {
  if (a.due_at === null || b.due_at === null) return false
  return a.due_on !== null && b.due_on !== null ? a.due_on > b.due_on : a.due_at > b.due_at
}

/** Warns about open blockers that the caller cannot see; only their number is disclosed. */
async function hiddenWarnings(
  ctx: ReadContext,
  links: readonly { to: Id<'tasks'> }[],
): Promise<Graph['warnings']> {
  const ids = [...new Set(links.map((link) => link.to))]
  const visible = await task.among(ctx, ids)
  const hidden = await countOpen(
    ctx,
    ids.filter((id) => !visible.has(id)),
  )
  return hidden === 0
    ? []
    : [
        {
          kind: 'hidden_blocker_count',
          detail: `${hidden} more open ${hidden === 1 ? 'task not visible to you blocks' : 'tasks not visible to you block'} the tasks shown here.`,
        },
      ]
}
