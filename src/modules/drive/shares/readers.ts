import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { filesAbove, membersOf, sharesOn, wayUp } from '../files/access-tree.ts'

// People who see a file because of its location, before and after a change. Items below it are visible to the same
// people, and to those of their own shares.

type Person = Id<'users'>

export interface Difference {
  gained: Person[]
  lost: Person[]
}

/** Everybody who sees a file by its place or a share, regardless of who asks. */
export async function fileReaders(
  ctx: ReadContext,
  row: Pick<Row<'files'>, 'id' | 'place' | 'owner_id' | 'project_id'>,
): Promise<Set<Person>> {
  const way = wayUp(await filesAbove(ctx, [row.id]), row.id)
  const shares = await sharesOn(
    ctx,
    way.map((fileNode) => fileNode.id),
  )
  const home = row.project_id === null ? [row.owner_id] : await membersOf(ctx, row.project_id)
  return new Set([...home, ...shares.flatMap((share) => share.person_id ?? [])])
}

/** Makes a change after which others may see a file, and records for whom that is so. */
export async function readersChanging<T>(
  ctx: WriteContext,
  row: Row<'files'>,
  change: () => Promise<T>,
  after: (result: T) => Row<'files'> = () => row,
): Promise<{ result: T; difference: Difference }> {
  const before = await fileReaders(ctx, row)
  const result = await change()
  const now = await fileReaders(ctx, after(result))
  const difference = {
    gained: [...now].filter((person) => !before.has(person)),
    lost: [...before].filter((person) => !now.has(person)),
  }
  for (const person of difference.gained) ctx.access('access_gained', 'files', row, person)
  for (const person of difference.lost) ctx.access('access_lost', 'files', row, person)
  return { result, difference }
}
