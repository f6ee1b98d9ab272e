import type { Command } from 'commander'
import { displayPrefix } from '../../keys/format.ts'
import { requirePerson } from '../../identity/people.ts'
import { isFindingOpen, listFindings, release, type ListedFinding } from '../../limits/release.ts'
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
import { requireOrganization } from '../people/orgs.ts'

export function registerAbuseCommands(program: Command): void {
  const abuse = addCommandGroup(
    program,
    'abuse',
    'List findings of the abuse rules and release held keys. See docs/security.md.',
    ['workspace abuse list --open', 'workspace abuse release abf_01…'],
  )
  addCommand(abuse, 'list', 'List findings, newest first.', [
    'workspace abuse list',
    'workspace abuse list --open --user ann@example.org --json',
  ])
    .option('--open', 'only those that hold a key now')
    .option('--user <email>', 'only keys of this person')
    .option('--org <name or id>', 'only this organization')
    .option('--limit <number>', 'maximum number to list', '50')
    .action(printFindings)
  addCommand(
    abuse,
    'release <id>',
    'Release a held or suspended key. The rule that held it is off for this key for an hour.',
    ['workspace abuse release abf_01…'],
  )
    .option('--as <email>', 'person who decides (default: the owner of the key)')
    .action(releaseOne)
}

async function printFindings(
  options: CommonOptions & { open?: true; user?: string; org?: string; limit: string },
): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new CliError('usage', '--limit: 1 to 10000.')
  const { rows, now } = await withStore(options, async ({ store, clock }) => {
    const owner =
      options.user === undefined ? undefined : (await requirePerson(store, options.user)).id
    const org =
      options.org === undefined ? undefined : (await requireOrganization(store, options.org)).id
    return {
      rows: await listFindings(store, clock.now(), { org, owner, open: options.open, limit }),
      now: clock.now(),
    }
  })
  const lines = rows.map((row) => [
    row.id,
    row.rule,
    formatMoment(row.first_at),
    String(row.occurrences),
    row.lookup === null ? (row.subject ?? '–') : `${displayPrefix(row.lookup)} ${row.key_name}`,
    row.owner ?? '–',
    holdStateText(row, now),
  ])
  print(
    options.json,
    rows.map((row) => presentAbuseFinding(row, now)),
    () =>
      rows.length === 0
        ? 'Nothing was found.'
        : table(['ID', 'RULE', 'SINCE', 'TIMES', 'KEY OR SUBJECT', 'OWNER', 'STATE'], lines),
  )
}

async function releaseOne(id: string, cliOptions: CommonOptions & { as?: string }): Promise<void> {
  const row = await withStore(cliOptions, async ({ store, clock }) => {
    const by =
      cliOptions.as === undefined ? undefined : (await requirePerson(store, cliOptions.as)).id
    return release(store, clock, { id, by, via: 'cli' })
  })
  print(
    cliOptions.json,
    {
      id: row.id,
      rule: row.rule,
      key_id: row.key_id,
      released_at: isoOrNull(row.released_at),
      released_by: row.released_by,
    },
    () => `${row.key_id} is released; ${row.rule} is off for it for an hour.`,
  )
}

function holdStateText(row: ListedFinding, now: number): string {
  if (row.hold === 'none') return 'noted'
  if (!isFindingOpen(row, now)) return row.released_at === null ? 'over' : 'released'
  return `holds ${row.hold === 'key' ? 'the key' : row.hold}${row.until_at === null ? '' : ` until ${formatMoment(row.until_at)}`}`
}

function presentAbuseFinding(row: ListedFinding, now: number) {
  const {
    id,
    rule,
    organization,
    owner,
    key_id,
    key_name,
    subject,
    occurrences,
    hold,
    released_by,
  } = row
  return {
    id,
    rule,
    organization,
    owner,
    key_id,
    key_name,
    subject,
    occurrences,
    detail: JSON.parse(row.detail_json) as unknown,
    hold,
    open: isFindingOpen(row, now),
    first_at: isoOrNull(row.first_at),
    last_at: isoOrNull(row.last_at),
    until_at: isoOrNull(row.until_at),
    released_at: isoOrNull(row.released_at),
    released_by,
  }
}
