import { call, type Input } from '../../api/client.ts'
import { queries, invalidateOperations } from '../../api/queries.ts'
import { write } from '../../store/index.ts'
import { driveTexts as words } from '../../texts/en/company/drive.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import type { DriveFile } from './data.ts'

interface Pages {
  pages: { items: DriveFile[] }[]
}

/** Adds or removes a file's star, without reloading its folder, which may have thousands of files. */
export async function starFile({ id, name, starred }: DriveFile): Promise<void> {
  const result = await write(
    'update_file',
    { file_id: id, starred: !starred },
    {
      text: words.changed(name, starred ? words.unstarred : words.starred),
      onReversed: () => void refetchStar(id), // stars send no event
    },
  )
  if (result.state === 'done') await applyStar(id, !starred)
}

async function refetchStar(id: string): Promise<void> {
  try {
    const { starred } = await call('get_file', { file_id: id })
    await applyStar(id, starred)
  } catch (error) {
    notifyProblem(error)
  }
}

/** Updates the star of a file in lists. Reloads the list of starred files, and any list currently loading. */
async function applyStar(id: string, starred: boolean): Promise<void> {
  for (const { queryKey, state } of queries.getQueryCache().findAll(fileListFilter)) {
    const data = state.data as Pages | undefined
    if (!data?.pages?.some(({ items }) => items.some((file) => file.id === id))) continue
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((file) => (file.id === id ? { ...file, starred } : file)),
    }))
    const updatedAt = state.dataUpdatedAt // the other data keeps its age
    queries.setQueryData(queryKey, { ...data, pages }, { updatedAt })
    if (state.isInvalidated) await queries.invalidateQueries({ queryKey, refetchType: 'none' })
  }
  await Promise.all([
    invalidateOperations('get_file'),
    queries.invalidateQueries({
      ...fileListFilter,
      predicate: ({ queryKey, state }) =>
        state.fetchStatus === 'fetching' || (queryKey[2] as Input<'list_files'>).starred === true,
    }),
  ])
}

const fileListFilter = { queryKey: ['call', 'list_files'] }
