import type { Store } from '../../db/open.ts'
import type { Id } from '../../kernel/ids.ts'

/** Filters people to those who do not want others to see what they look at. */
export async function peopleHidingPresence(
  { read }: Pick<Store, 'read'>,
  people: readonly string[],
): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set()
  const rows = await read
    .selectFrom('users')
    .select('id')
    .where('id', 'in', people as readonly Id<'users'>[])
    .where('hides_presence', '=', 1)
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Runs inside a writer job. Others are not notified: it is not news about the person. */
export async function hidePresence(
  { write }: Pick<Store, 'write'>,
  person: Id<'users'>,
  isHidden: boolean,
): Promise<void> {
  await write
    .updateTable('users')
    .set({ hides_presence: isHidden ? 1 : 0 })
    .where('id', '=', person)
    .execute()
}
