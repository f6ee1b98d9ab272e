import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { filesWithParents, membersOf, sharesOfFiles, pathUp } from '../files/access-tree.ts'

// People who see a file because of its location, before and after a change. Items below it are visible to the same
// people, and to those of their own shares.

type Person = Id<'users'>

export interface Difference {
  gained: Person[]
  lost: Person[]
}

/** Everyone who sees a file by its place or a share, independent of the caller. */
export async function fileReaders(
  ctx: ReadContext,
  row: Pick<Row<'files'>, 'id' | 'place' | 'owner_id' | 'project_id'>,
): Promise<Set<Person>> {
  const path = pathUp(await filesWithParents(ctx, [row.id]), row.id)
  const shares = await sharesOfFiles(
    ctx,
    path.map((fileNode) => fileNode.id),
  )
  const peopleByPlace =
    row.project_id === null ? [row.owner_id] : await membersOf(ctx, row.project_id)
  return new Set([...peopleByPlace, ...shares.flatMap((share) => share.person_id ?? [])])
}

/** Makes a change that may affect who sees a file, and records gained and lost access. */
export async function changeReaders<T>(
  ctx: WriteContext,
  row: Row<'files'>,
  change: () => Promise<T>,
  after: (result: T) => Row<'files'> = () => row,
): Promise<{ result: T; difference: Difference }> {
  const before = await fileReaders(ctx, row)
  const result = await change()
  const current = await fileReaders(ctx, after(result))
  const difference = {
    gained: [...current].filter((person) => !before.has(person)),
    lost: [...before].filter((person) => !current.has(person)),
  }
  for (const person of difference.gained) ctx.access('access_gained', 'files', row, person)
  for (const person of difference.lost) ctx.access('access_lost', 'files', row, person)
  return { result, difference }
}
