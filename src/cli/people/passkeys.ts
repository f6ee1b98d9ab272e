import type { Command } from 'commander'
import { requirePerson } from '../../identity/people.ts'
import { passkeysOf, removeLostPasskeys } from '../../identity/passkeys.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { CliError } from '../exit.ts'
import { withStore } from '../open.ts'

/** Registers `workspace users passkeys`. */
export function registerPasskeysCommands(users: Command): void {
  const passkeys = addCommandGroup(users, 'passkeys', 'List and remove the passkeys of a person.', [
    'workspace users passkeys list ann@example.org',
    'workspace users passkeys remove ann@example.org --all',
  ])
  addCommand(passkeys, 'list <email>', 'List the passkeys of a person.', [
    'workspace users passkeys list ann@example.org',
  ]).action(printPasskeys)
  addCommand(
    passkeys,
    'remove <email> [id]',
    'Remove a passkey and sign the person out everywhere.',
    [
      'workspace users passkeys remove ann@example.org pky_01…',
      'workspace users passkeys remove ann@example.org --all',
    ],
  )
    .option('--all', 'all of their passkeys')
    .action(removePasskeys)
}

async function printPasskeys(email: string, options: CommonOptions): Promise<void> {
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
    formatMoment(row.created_at),
    formatMoment(row.last_used_at),
  ])
  print(options.json, presented, () =>
    rows.length === 0 ? 'No passkeys.' : table(['ID', 'NAME', 'ON', 'CREATED', 'LAST USED'], lines),
  )
}

async function removePasskeys(
  email: string,
  id: string | undefined,
  cliOptions: CommonOptions & { all?: true },
): Promise<void> {
  if ((id === undefined) === (cliOptions.all === undefined))
    throw new CliError('usage', 'give the id of a passkey, or --all.')
  const { person, gone: removedRows } = await withStore(cliOptions, async ({ store, clock }) => {
    const person = await requirePerson(store, email)
    return { person, gone: await removeLostPasskeys(store, clock.now(), person, id) }
  })
  const removed = removedRows.map(({ id, name }) => ({ id, name }))
  print(cliOptions.json, { email: person.email, removed }, () => {
    if (removedRows.length === 0) return `${person.email} has no passkey.`
    return `Removed ${removedRows.map((row) => `"${row.name}"`).join(', ')} of ${person.email}, who is now signed out everywhere.`
  })
}
