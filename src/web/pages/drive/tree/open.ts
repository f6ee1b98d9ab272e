import { ApiError } from '../../../api/problem.ts'
import { operationQuery, queries } from '../../../api/queries.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'

/** Folders that were opened or closed manually, for as long as the app is open. */
export const openFolders = new Map<string, boolean>()

const freshMs = 60_000

/** Opens the ancestors of a folder, up to the top of its drive or as far as the person can see. */
export async function openAncestors(folderId: string, roots: ReadonlySet<string>): Promise<void> {
  const visitedIds = new Set<string>()
  try {
    for (
      let currentId: string | undefined = folderId;
      currentId && !roots.has(currentId) && !visitedIds.has(currentId);
    ) {
      visitedIds.add(currentId)
      currentId = await parentOf(currentId)
      if (currentId !== undefined) openFolders.set(currentId, true)
    }
  } catch (error) {
    const isHidden = error instanceof ApiError && error.status === 404
    if (!isHidden) notifyProblem(error)
  }
}

async function parentOf(file_id: string): Promise<string | undefined> {
  const query = operationQuery('get_file', { file_id })
  const { parent_id } = await queries.fetchQuery({ ...query, staleTime: freshMs })
  return parent_id
}
