import { z } from 'zod'
import type { Row } from '../../records/resource.ts'
import type { Ref } from '../../records/shapes.ts'

/** Categories of task statuses, in work order. */
export const categories = ['triage', 'backlog', 'todo', 'in_progress', 'done', 'cancelled'] as const
export const categoryEnum = z.enum(categories)

export function projectRef(row: Pick<Row<'projects'>, 'id' | 'name' | 'key'>): Ref {
  return { id: row.id, title: row.name, key: row.key }
}
