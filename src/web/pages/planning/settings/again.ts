import { readOperationAgain } from '../../../api/queries.ts'
import { readAgain } from '../../../store/index.ts'

/** Reloads a project everywhere, with its members, statuses and fields, some of which are separate items. */
export async function readProjectAgain(id: string): Promise<void> {
  readAgain('project', [id])
  await readOperationAgain('get_project', 'list_projects')
}
