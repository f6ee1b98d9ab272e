import type { z } from 'zod'
import type { Store } from '../../../db/open.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Shortcuts } from '../shapes/sessions.ts'

type Changed = z.infer<typeof Shortcuts>

/** The keys of commands that a person changed, as their row holds them. */
export function shortcutsOf(json: string | null): Changed {
  return json === null ? {} : (JSON.parse(json) as Changed)
}

/**
 * Gives commands other keys, inside a job of the writer; null: those of the app again. No one else hears of it. Answers all that the
 * person changed.
 */
export async function changeShortcuts(
  { write }: Pick<Store, 'write'>,
  person: Id<'users'>,
  changes: Readonly<Record<string, readonly string[] | null>>,
): Promise<Changed> {
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
