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
import { command, group, print, table, when, type Common } from '../command.ts'
import { Stop } from '../exit.ts'
import { withApp, withStore } from '../open.ts'

export function registerApprovalsCommands(program: Command): void {
  const approvals = group(
    program,
    'approvals',
    'List, approve and deny the calls of --hold-outbound keys that wait for approval.',
    ['workspace approvals list', 'workspace approvals release apr_01…'],
  )
  command(approvals, 'list', 'List waiting calls, newest first, with what they would send.', [
    'workspace approvals list',
    'workspace approvals list --user ann@example.org --all --json',
  ])
    .option('--user <email>', 'only keys of this person')
    .option('--all', 'include decided and expired ones')
    .option('--limit <number>', 'maximum number to list', '50')
    .action(printApprovals)
  command(
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
  command(approvals, 'deny <id>', 'Deny a waiting call.', [
    'workspace approvals deny apr_01…',
    'workspace approvals deny apr_01… --reason "Not to this address"',
  ])
    .option('--reason <text>', 'reason, shown to the caller')
    .action(deny)
}

interface List extends Common {
  user?: string
  all?: true
  limit: string
}

async function printApprovals(options: List): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new Stop('usage', '--limit: 1 to 10000.')
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
        approvals.map(async (row) => ({ row, stands: await standingFor(app, row) })),
      ),
      now: clock.now(),
    }
  })
  const lines = rows.map(({ row, stands }) => [
    row.id,
    row.tool,
    approvalState(row, now),
    row.key_name ?? 'an automation',
    row.owner,
    when(row.created_at),
    when(row.expires_at),
    harmless(row.arguments_json),
    changesText(stands.changes),
  ])
  print(
    options.json,
    rows.map(({ row, stands }) => ({ ...approvalDetails(row, now), ...stands })),
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
async function standingFor(app: App, row: ListedApproval): ReturnType<typeof pendingItemsState> {
  const owner = await app.keys.currentActor({
    id: row.owner_id as Id<'users'>,
    via: 'cli',
    key: undefined,
  })
  return owner ? pendingItemsState(app, row, owner) : {}
}

function changesText(changes: readonly ItemDifference[] = []): string {
  return harmless(changes.map(({ title, change }) => `${title} (${change})`).join(', '))
}

async function release(id: string, options: Common & { itemsVersion?: string }): Promise<void> {
  const done = await withApp(options, async (app) => {
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
    done,
    () => `The call was run. Its result:\n${harmless(JSON.stringify(done.result, undefined, 2))}`,
  )
}

async function deny(id: string, cliOptions: Common & { reason?: string }): Promise<void> {
  const reason = cliOptions.reason?.trim()
  if (reason !== undefined && reason.length > maxReasonLength)
    throw new Stop('usage', `--reason: at most ${maxReasonLength} characters.`)
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
 * Removes characters that move the cursor or change the text direction from an assistant's text; JSON escapes all
 * others.
 */
function harmless(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
