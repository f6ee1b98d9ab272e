import { z } from 'zod'
import { omitNullish } from '../../../kernel/present.ts'
import { shape } from '../../../kernel/shape.ts'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { Ref, common, commonOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { taskTemplate } from '../access.ts'

export const TaskTemplate = shape('TaskTemplate', {
  ...common,
  name: z.string(),
  outline: z.record(z.string(), z.unknown()),
  variables: z.array(z.string()),
  project: Ref.optional(),
  use_count: z.int(),
})

export async function presentTemplates(
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
    const projectRow = row.project_id && projects.get(row.project_id)
    return omitNullish({
      ...commonOf(row, taskTemplate.url(row, ctx.baseUrl), people),
      name: row.name,
      outline: JSON.parse(row.outline_json) as Record<string, unknown>,
      variables: JSON.parse(row.variables_json) as string[],
      project: projectRow ? projectRef(projectRow) : undefined,
      use_count: row.use_count,
    })
  })
}
