import type { Command } from 'commander'
import { requirePerson } from '../../identity/people.ts'
import { passkeysOf, removeLostPasskeys } from '../../identity/passkeys.ts'
import { command, group, isoOrNull, print, table, when, type Common } from '../command.ts'
import { Stop } from '../exit.ts'
import { withStore } from '../open.ts'

/** Below `workspace users`. */
export function registerPasskeysCommands(users: Command): void {
  const passkeys = group(users, 'passkeys', 'List and remove the passkeys of a person.', [
    'workspace users passkeys list ann@example.org',
    'workspace users passkeys remove ann@example.org --all',
  ])
  command(passkeys, 'list <email>', 'List the passkeys of a person.', [
    'workspace users passkeys list ann@example.org',
  ]).action(printPasskeys)
  command(passkeys, 'remove <email> [id]', 'Remove a passkey and sign the person out everywhere.', [
    'workspace users passkeys remove ann@example.org pky_01…',
    'workspace users passkeys remove ann@example.org --all',
  ])
    .option('--all', 'all of their passkeys')
    .action(removePasskeys)
}

async function printPasskeys(email: string, options: Common): Promise<void> {
  const rows = await withStore(options, async ({ store }) =>
    passkeysOf(store, (await requirePerson(store, email)).id),
  )
  const presented = rows.map(({ id, name, device_type, backed_up, created_at, last_used_at }) => ({
    id,
    name,
    device_type,
    backed_up: backed_up === 1,
    created_at: isoOrNull(created_at),
    last_used_at: isoOrNull(last_used_at),
  }))
  const lines = rows.map((row) => [
    row.id,
    row.name,
    row.device_type === 'multi_device' ? 'several devices' : 'one device',
    when(row.created_at),
    when(row.last_used_at),
  ])
  print(options.json, presented, () =>
    rows.length === 0 ? 'No passkeys.' : table(['ID', 'NAME', 'ON', 'CREATED', 'LAST USED'], lines),
  )
}

async function removePasskeys(
  email: string,
  id: string | undefined,
  cliOptions: Common & { all?: true },
): Promise<void> {
  if ((id === undefined) === (cliOptions.all === undefined))
    throw new Stop('usage', 'give the id of a passkey, or --all.')
  const { person, gone } = await withStore(cliOptions, async ({ store, clock }) => {
    const person = await requirePerson(store, email)
    return { person, gone: await removeLostPasskeys(store, clock.now(), person, id) }
  })
  const removed = gone.map(({ id, name }) => ({ id, name }))
  print(cliOptions.json, { email: person.email, removed }, () => {
    if (gone.length === 0) return `${person.email} has no passkey.`
    return `Removed ${gone.map((row) => `"${row.name}"`).join(', ')} of ${person.email}, who is now signed out everywhere.`
  })
}
