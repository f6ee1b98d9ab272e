import type { z } from 'zod'
import type { Store } from '../../../db/open.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Shortcuts } from '../shapes/sessions.ts'

type ChangedShortcuts = z.infer<typeof Shortcuts>

/** The command keys changed by a person, parsed from their row. */
export function shortcutsOf(json: string | null): ChangedShortcuts {
  return json === null ? {} : (JSON.parse(json) as ChangedShortcuts)
}

/**
 * Changes the keys of commands, inside a writer job; null restores the app's default. Others are not notified.
 * Returns all changes of the person.
 */
export async function changeShortcuts(
  { write }: Pick<Store, 'write'>,
  person: Id<'users'>,
  changes: Readonly<Record<string, readonly string[] | null>>,
): Promise<ChangedShortcuts> {
  const { shortcuts_json } = await write
    .selectFrom('users')
    .select('shortcuts_json')
    .where('id', '=', person)
    .executeTakeFirstOrThrow()
  const entries = Object.entries({ ...shortcutsOf(shortcuts_json), ...changes }).filter(
    (entry): entry is [string, string[]] => entry[1] !== null,
  )
  const all = Object.fromEntries(entries)
  await write
    .updateTable('users')
    .set({ shortcuts_json: entries.length === 0 ? null : JSON.stringify(all) })
    .where('id', '=', person)
    .execute()
  return all
}
