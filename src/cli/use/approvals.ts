import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import {
  requireApproval,
  denyApproval,
  listApprovals,
  maxReasonLength,
  approvalDetails,
  approvalState,
  type ListedApproval,
} from '../../operations/approvals/list.ts'
import { releaseApproval } from '../../operations/approvals/release.ts'
import type { App } from '../../operations/app.ts'
import type { ItemDifference } from '../../operations/approvals/items.ts'
import { pendingItemsState } from '../../operations/approvals/approvals.ts'
import type { Id } from '../../kernel/ids.ts'
import { requirePerson } from '../../identity/people.ts'
import {
  addCommand,
  addCommandGroup,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { CliError } from '../exit.ts'
import { withApp, withStore } from '../open.ts'

export function registerApprovalsCommands(program: Command): void {
  const approvals = addCommandGroup(
    program,
    'approvals',
    'List, approve and deny the calls of --hold-outbound keys that wait for approval.',
    ['workspace approvals list', 'workspace approvals release apr_01…'],
  )
  addCommand(approvals, 'list', 'List waiting calls, newest first, with what they would send.', [
    'workspace approvals list',
    'workspace approvals list --user ann@example.org --all --json',
  ])
    .option('--user <email>', 'only keys of this person')
    .option('--all', 'include decided and expired ones')
    .option('--limit <number>', 'maximum number to list', '50')
    .action(printApprovals)
  addCommand(
    approvals,
    'release <id>',
    'Approve a waiting call and run it with the rights of its key.',
    [
      'workspace approvals release apr_01…',
      'workspace approvals release apr_01… --items-version 3kq…',
    ],
  )
    .option(
      '--items-version <text>',
      'the version of the named items that you reviewed, if they changed since the call was requested',
    )
    .action(release)
  addCommand(approvals, 'deny <id>', 'Deny a waiting call.', [
    'workspace approvals deny apr_01…',
    'workspace approvals deny apr_01… --reason "Not to this address"',
  ])
    .option('--reason <text>', 'reason, shown to the caller')
    .action(deny)
}

interface ListOptions extends CommonOptions {
  user?: string
  all?: true
  limit: string
}

async function printApprovals(options: ListOptions): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new CliError('usage', '--limit: 1 to 10000.')
  const { rows, now } = await withApp(options, async (app) => {
    const { store, clock } = app
    const owner =
      options.user === undefined ? undefined : (await requirePerson(store, options.user)).id
    const approvals = await listApprovals(store, clock.now(), {
      owner,
      pending: !options.all,
      limit,
    })
    return {
      rows: await Promise.all(
        approvals.map(async (row) => ({ row, itemsState: await itemsStateOf(app, row) })),
      ),
      now: clock.now(),
    }
  })
  const lines = rows.map(({ row, itemsState }) => [
    row.id,
    row.tool,
    approvalState(row, now),
    row.key_name ?? 'an automation',
    row.owner,
    formatMoment(row.created_at),
    formatMoment(row.expires_at),
    escapeUnsafe(row.arguments_json),
    changesText(itemsState.changes),
  ])
  print(
    options.json,
    rows.map(({ row, itemsState }) => ({ ...approvalDetails(row, now), ...itemsState })),
    () =>
      rows.length === 0
        ? 'No calls are waiting.'
        : table(
            ['ID', 'CALL', 'STATE', 'KEY', 'OWNER', 'ASKED', 'UNTIL', 'ARGUMENTS', 'CHANGED SINCE'],
            lines,
          ),
  )
}

/** A call whose key is no longer active cannot be released, so nothing about its targets is shown. */
async function itemsStateOf(app: App, row: ListedApproval): ReturnType<typeof pendingItemsState> {
  const owner = await app.keys.currentActor({
    id: row.owner_id as Id<'users'>,
    via: 'cli',
    key: undefined,
  })
  return owner ? pendingItemsState(app, row, owner) : {}
}

function changesText(changes: readonly ItemDifference[] = []): string {
  return escapeUnsafe(changes.map(({ title, change }) => `${title} (${change})`).join(', '))
}

async function release(
  id: string,
  options: CommonOptions & { itemsVersion?: string },
): Promise<void> {
  const released = await withApp(options, async (app) => {
    const approval = await requireApproval(app.store, id)
    const { value } = await releaseApproval(
      app,
      approval,
      { transport: 'cli', requestId: randomUUID(), route: 'workspace approvals release', ip: '' },
      { itemsVersion: options.itemsVersion },
    )
    return {
      ...approvalDetails(await requireApproval(app.store, id), app.clock.now()),
      result: value,
    }
  })
  print(
    options.json,
    released,
    () =>
      `The call was run. Its result:\n${escapeUnsafe(JSON.stringify(released.result, undefined, 2))}`,
  )
}

async function deny(id: string, cliOptions: CommonOptions & { reason?: string }): Promise<void> {
  const reason = cliOptions.reason?.trim()
  if (reason !== undefined && reason.length > maxReasonLength)
    throw new CliError('usage', `--reason: at most ${maxReasonLength} characters.`)
  const { denied, now } = await withStore(cliOptions, async ({ store, clock }) => {
    const approval = await requireApproval(store, id)
    return {
      denied: await denyApproval({ store, clock }, approval.id, {
        by: approval.owner_id as Id<'users'>,
        via: 'cli',
        reason,
      }),
      now: clock.now(),
    }
  })
  print(
    cliOptions.json,
    approvalDetails(denied, now),
    () => `${denied.tool} (${denied.id}) was denied.`,
  )
}

/**
 * Escapes characters that move the cursor or change the text direction in an assistant's text; JSON escapes all
 * others.
 */
function escapeUnsafe(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
