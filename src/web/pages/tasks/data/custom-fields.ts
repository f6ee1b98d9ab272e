import type { CustomField, Project } from './lists.ts'

/** The custom fields of a view's projects, by name. */
export function fieldsByName(
  projects: readonly Project[],
  filter: readonly string[],
): ReadonlyMap<string, CustomField> {
  const fields = projects
    .filter(({ key, id, status }) =>
      filter.length > 0 ? filter.includes(key) || filter.includes(id) : status !== 'archived',
    )
    .flatMap((project) => project.custom_fields.filter((field) => !field.retired))
  return new Map(fields.toReversed().map((field) => [field.name, field]))
}
