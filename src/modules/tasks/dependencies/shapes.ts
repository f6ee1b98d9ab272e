import { z } from 'zod'
import { datetimeString, day } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'
import { Ref } from '../../../records/shapes.ts'
import { categoryEnum } from '../../portfolio/shapes.ts'

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
  /** Tasks that must be done one after the other, in order. */
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
