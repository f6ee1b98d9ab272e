import { readOperationAgain } from '../../../api/queries.ts'
import { readAgain } from '../../../store/index.ts'

/** Reads a project again wherever it is shown: with its members, statuses and fields, of which some are items of their own. */
export async function readProjectAgain(id: string): Promise<void> {
  readAgain('project', [id])
  await readOperationAgain('get_project', 'list_projects')
}
