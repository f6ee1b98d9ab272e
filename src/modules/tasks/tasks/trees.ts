import type { ReadContext } from '../../../operations/context.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { descendants, task } from '../access.ts'

/** Maximum number of ancestors of a task. */
const maxAncestors = 10

/**
 * @throws Refusal invalid_argument where a task may not become part of the parent: another project, a cycle, too deep
 */
export async function requireParent(
  ctx: ReadContext,
  projectId: string,
  parent: Row<'tasks'>,
  moved?: Row<'tasks'>,
  field = 'parent_id',
): Promise<void> {
  if (parent.project_id !== projectId)
    throw invalid(
      field,
      `${parent.key} is in another project; a subtask must be in the same project as its parent.`,
    )
  if (moved && parent.id === moved.id) throw invalid(field, 'a task cannot be part of itself.')
  const subtasks = moved ? await descendants(ctx, moved.id) : []
  if (subtasks.some((row) => row.id === parent.id))
    throw invalid(field, `${parent.key} is itself a subtask of ${moved!.key}.`)
  const depth = (await ancestors(ctx, parent)).length + 1
  if (depth + taskTreeHeight(moved, subtasks) > maxAncestors)
    throw invalid(field, `subtasks may be nested ${maxAncestors} levels deep.`)
}

/** The ancestors of a task, nearest first. */
async function ancestors(ctx: ReadContext, row: Row<'tasks'>): Promise<Row<'tasks'>[]> {
  const ancestorRows: Row<'tasks'>[] = []
  for (let id = row.parent_id; id !== null && ancestorRows.length <= maxAncestors; ) {
    const parent = (await task.among(ctx, [id])).get(id)
    if (!parent) break
    ancestorRows.push(parent)
    id = parent.parent_id
  }
  return ancestorRows
}

/** Number of levels below a task. */
function taskTreeHeight(root: Row<'tasks'> | undefined, subtasks: readonly Row<'tasks'>[]): number {
  const levels = new Map<string, number>(root ? [[root.id, 0]] : [])
  for (const row of subtasks) levels.set(row.id, (levels.get(row.parent_id!) ?? 0) + 1)
  return Math.max(0, ...levels.values())
}
