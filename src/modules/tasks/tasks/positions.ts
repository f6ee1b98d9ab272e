import { generateKeyBetween } from 'fractional-indexing'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { task } from '../access.ts'
import { lastPosition } from '../lists/access-lists.ts'

/** A position after all tasks of a project. */
export async function positionAtEnd(ctx: ReadContext, projectId: Id<'projects'>): Promise<string> {
  const [last] = await lastPosition(ctx, { project: projectId })
  return generateKeyBetween(last?.position ?? null, null)
}

/** Positions after all tasks of a project, in order. */
export async function positionsAtEnd(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  count: number,
): Promise<string[]> {
  const positions: string[] = []
  for (
    let last = await positionAtEnd(ctx, projectId);
    positions.length < count;
    last = generateKeyBetween(last, null)
  )
    positions.push(last)
  return positions
}

type Neighbour = Pick<Row<'tasks'>, 'id' | 'position' | 'project_id'> | undefined

/**
 * A position before one task, after another, or between both; `moved` itself does not count as a neighbour.
 * @throws Refusal invalid_argument if they are in another project, or `before` does not come after `after`
 */
export async function positionBeside(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  moved: Id<'tasks'>,
  { before, after }: { before: Neighbour; after: Neighbour },
): Promise<string> {
  for (const [field, neighbour] of [
    ['before_task_id', before],
    ['after_task_id', after],
  ] as const) {
    if (neighbour && neighbour.project_id !== projectId)
      throw invalid(field, 'this task is not in the target project.')
    if (neighbour?.id === moved) throw invalid(field, 'a task cannot be placed next to itself.')
  }
  const low = after?.position ?? (await nearest(ctx, projectId, moved, before!.position, 'before'))
  const high = before?.position ?? (await nearest(ctx, projectId, moved, after!.position, 'after'))
  if (low !== null && high !== null && low >= high)
    throw invalid(
      'before_task_id',
      'this task comes before the task in after_task_id.',
      'Send only one of them.',
    )
  return generateKeyBetween(low, high)
}

async function nearest(
  ctx: ReadContext,
  projectId: Id<'projects'>,
  moved: Id<'tasks'>,
  position: string,
  side: 'before' | 'after',
): Promise<string | null> {
  const row = await task
    .visibleTo(ctx)
    .select('tasks.position')
    .where('tasks.project_id', '=', projectId)
    .where('tasks.id', '<>', moved)
    .where('tasks.position', side === 'before' ? '<' : '>', position)
    .orderBy('tasks.position', side === 'before' ? 'desc' : 'asc')
    .executeTakeFirst()
  return row?.position ?? null
}
