import { invalidateOperations } from '../../../api/queries.ts'
import { scheduleReload } from '../../../store/index.ts'

/** Reloads a project everywhere, with its members, statuses and fields, some of which are separate items. */
export async function reloadProject(id: string): Promise<void> {
  scheduleReload('project', [id])
  await invalidateOperations('get_project', 'list_projects')
}
