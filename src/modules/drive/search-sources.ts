import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { file } from './access.ts'
import { filesElsewhere, ownContainers } from './files/access-tree.ts'

/** Files and folders by their names, descriptions and texts. */
export const foundFiles = findable({
  kind: 'file',
  source: 'files',
  resource: file,
  containers: ownContainers,
  elsewhere: filesElsewhere,
  narrow(_, files, { project: of, person: who }) {
    const inProject = of ? files.where('files.project_id', '=', of.id) : files
    return who
      ? inProject.where((eb) =>
          eb.or([
            eb('files.created_by', '=', who.id),
            eb('files.owner_id', '=', who.id),
            eb('files.modified_by', '=', who.id),
          ]),
        )
      : inProject
  },
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.flatMap((row) => [row.owner_id, row.modified_by]),
    )
    const projects = await project.among(
      ctx,
      rows.flatMap((row) => row.project_id ?? []),
    )
    const folders = await file.among(
      ctx,
      rows.flatMap((row) => row.parent_id ?? []),
    )
    return new Map(
      rows.map((row) => {
        const names = [row.owner_id, row.modified_by].flatMap(
          (id) => people.get(id)?.display_name ?? [],
        )
        const folder = row.parent_id === null ? undefined : folders.get(row.parent_id)
        return [
          row.id,
          {
            people: [...new Set(names)],
            project: row.project_id === null ? undefined : projects.get(row.project_id),
            place: folder && file.ref(folder, ctx.baseUrl),
            trust: row.trust,
          },
        ]
      }),
    )
  },
})
