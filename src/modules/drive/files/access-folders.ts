import { fileTypeOf, folderType } from './file-types.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

// Top folders exist from the start, for each person's drive and each project; their ids are derived from the owner's.

/** The top folder of a person's built-in drive. */
export const rootOf = (personId: string) => `fil_${personId.slice(4)}` as Id<'files'>
/** A person's built-in drive. */
export const driveOf = (personId: string) => `drv_${personId.slice(4)}` as Id<'drives'>
/** The folder of a project. */
const folderOfProject = (projectId: string) => `fil_${projectId.slice(4)}` as Id<'files'>

/** Creates the folder of a new project; not recorded as a change of its own. */
export async function createProjectFolder(viewer: Viewer, project: Row<'projects'>): Promise<void> {
  const { all, actor, now } = accessScopeOf(viewer)
  await all
    .insertInto('files')
    .values({
      id: folderOfProject(project.id),
      org_id: project.org_id,
      place: 'project',
      drive_id: null,
      project_id: project.id,
      owner_id: actor.id,
      parent_id: null,
      is_root: 1,
      type: fileTypeOf(folderType),
      name: project.name,
      name_folded: project.name.toLowerCase(),
      description: null,
      mime_type: folderType,
      size_bytes: 0,
      sha256: '',
      content_base64: '',
      version: 0,
      modified_at: now,
      modified_by: actor.id,
      trust: 'internal',
      text_status: 'none',
      remote_id: null,
      remote_json: null,
      synced_revision: null,
      revision: 1,
      created_at: now,
      updated_at: now,
      created_by: actor.id,
      created_via: actor.via,
      deleted_at: null,
      deleted_by: null,
      deleted_with: null,
    })
    .execute()
}

/** Renames a project's folder after the project. */
export async function renameProjectFolder(
  reader: Viewer,
  projectRow: Row<'projects'>,
): Promise<void> {
  await accessScopeOf(reader)
    .all.updateTable('files')
    .set({ name: projectRow.name, name_folded: projectRow.name.toLowerCase() })
    .where('id', '=', folderOfProject(projectRow.id))
    .execute()
}
