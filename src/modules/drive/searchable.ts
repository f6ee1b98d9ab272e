import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { file } from './access.ts'
import { sharedFilesWithContainers, ownContainers } from './files/access-tree.ts'

/** Files and folders by their names, descriptions and texts. */
export const searchableFiles = searchable({
  kind: 'file',
  source: 'files',
  resource: file,
  containers: ownContainers,
  sharedItems: sharedFilesWithContainers,
  narrow(_, files, { project, person: personRow }) {
    const inProject = project ? files.where('files.project_id', '=', project.id) : files
    return personRow
      ? inProject.where((eb) =>
          eb.or([
            eb('files.created_by', '=', personRow.id),
            eb('files.owner_id', '=', personRow.id),
            eb('files.modified_by', '=', personRow.id),
          ]),
        )
      : inProject
  },
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, project, place: file },
      rows.map((row) => ({
        id: row.id,
        people: [row.owner_id, row.modified_by],
        project: row.project_id,
        place: row.parent_id,
        trust: row.trust,
      })),
    ),
})
