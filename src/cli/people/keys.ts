import type { Command } from 'commander'
import { clientOf, setupOf } from '../../assistants/clients.ts'
import { briefSetup, currentPlatform } from '../../assistants/show.ts'
import type { Row } from '../../records/resource.ts'
import { displayPrefix } from '../../keys/format.ts'
import { isWellFormedKey, issueKey, listKeys, revokeKey, type IssuedKey } from '../../keys/issue.ts'
import { keyState } from '../../keys/list.ts'
import { requirePerson } from '../../identity/people.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { expiryOf } from './expiry.ts'
import { exitCodes } from '../exit.ts'
import { baseUrlOf, withStore } from '../open.ts'

export function registerKeysCommands(program: Command): void {
  const keys = addCommandGroup(program, 'keys', 'Create, list, revoke and check API keys.', [
    'workspace keys create --user ann@example.org --name laptop',
    'workspace keys list',
    'workspace keys revoke svc_k3J9xQ2a',
  ])
  addCommand(keys, 'create', "Create a key with its owner's rights. It is shown only once.", [
    'workspace keys create --user ann@example.org --name laptop',
    'workspace keys create --user ann@example.org --name reports --read-only --toolsets tasks,projects --expires 90d',
    'workspace keys create --user ann@example.org --name planner --toolsets tasks:ro,labels',
    'workspace keys create --user ann@example.org --name ci --json',
  ])
    .requiredOption('--user <email>', 'owner of the key')
    .requiredOption('--name <name>', 'name shown in lists')
    .option('--read-only', 'read access only')
    .option(
      '--toolsets <names>',
      'modules it may use, comma-separated; tasks:ro for read access only (default: all)',
    )
    .option(
      '--expires <when>',
      'expiry: 90d, 12h, 6w, or a date such as 2027-01-01 (default: never)',
    )
    .option(
      '--hold-outbound',
      "outbound calls (mail, shares, webhooks, exports) wait for the owner's approval",
    )
    .option('--admin', "include the owner's administrator rights")
    .action(createKey)
  addCommand(keys, 'list', 'List keys, by their first characters only.', [
    'workspace keys list',
    'workspace keys list --user ann@example.org --json',
  ])
    .option('--user <email>', 'only keys of this person')
    .action(printKeys)
  addCommand(
    keys,
    'revoke <key>',
    'Revoke a key for good, from the next request. Takes its id or its first characters.',
    ['workspace keys revoke svc_k3J9xQ2a', 'workspace keys revoke key_01…'],
  ).action(revoke)
  addCommand(
    keys,
    'check <text>',
    'Check whether a text is a well-formed key, including its checksum. Exit code 0 or 1; works offline.',
    ['workspace keys check svc_…'],
  ).action(checkKeyFormat)
}

interface CreateOptions extends CommonOptions {
  user: string
  name: string
  readOnly?: true
  toolsets?: string
  expires?: string
  admin?: true
  holdOutbound?: true
}

async function createKey(options: CreateOptions): Promise<void> {
  const toolsets = options.toolsets?.split(',').map((name) => name.trim())
  const modules =
    toolsets &&
    (await import('../../operations/catalogue.ts')).toolsetNames(
      (await import('../../modules/index.ts')).modules,
    )
  const issued = await withStore(options, async ({ store, clock, settings }) => {
    const owner = await requirePerson(store, options.user)
    const expiresAt =
      options.expires === undefined
        ? undefined
        : await expiryOf(options.expires, clock.now(), owner.timezone)
    const { name, readOnly, holdOutbound, admin: adminGrant } = options
    const key = await issueKey(store, clock, {
      owner: owner.id,
      name,
      readOnly,
      toolsets,
      modules,
      expiresAt,
      adminGrant,
      holdOutbound,
      via: 'cli',
    })
    return { key, owner, expiresAt: expiresAt ?? null, baseUrl: baseUrlOf(settings) }
  })
  const { id, key, prefix } = issued.key
  const restrictions = {
    read_only: options.readOnly ?? false,
    toolsets: toolsets ?? null,
    expires_at: isoOrNull(issued.expiresAt),
    admin: options.admin ?? false,
    hold_outbound: options.holdOutbound ?? false,
  }
  const value = {
    id,
    key,
    prefix,
    name: options.name.trim(),
    owner: issued.owner.email,
    ...restrictions,
    mcp_url: `${issued.baseUrl}/mcp`,
  }
  print(options.json, value, () =>
    issuedKeyText(issued.key, issued.owner, options, issued.expiresAt, issued.baseUrl),
  )
}

function issuedKeyText(
  issued: IssuedKey,
  owner: Row<'users'>,
  cliOptions: CreateOptions,
  expiresAt: number | null,
  baseUrl: string,
): string {
  const { readOnly, toolsets, admin, holdOutbound } = cliOptions
  const restrictions = [
    readOnly && 'reads only',
    toolsets && `for ${toolsets} only`,
    expiresAt !== null && `until ${formatMoment(expiresAt)}`,
    admin && 'with administrator rights',
    holdOutbound && 'outbound calls need approval of its owner',
  ].filter(Boolean)
  const target = {
    baseUrl,
    selection: {},
    key: { text: issued.key },
    name: 'workspace',
    bridge: ['workspace', 'mcp'],
  }
  const briefs = ['claude-code', 'cursor', 'vscode', 'generic'].map((id) =>
    briefSetup(setupOf(clientOf(id)!, target), currentPlatform()),
  )
  const setups = briefs.map(
    ({ client, how, text }) => `${client}. ${how}\n${text.replace(/^/gm, '  ')}`,
  )
  return [
    `The key "${cliOptions.name.trim()}" of ${owner.display_name}${restrictions.length > 0 ? ` (${restrictions.join(', ')})` : ''}:\n\n  ${issued.key}\n`,
    `It is not shown again; store it like a password. Revoke it with: workspace keys revoke ${issued.prefix.slice(0, -1)}\n`,
    setups.join('\n\n'),
    '\nFor other programs, and to write configuration files: workspace connect',
  ].join('\n')
}

async function printKeys(options: CommonOptions & { user?: string }): Promise<void> {
  const { rows, now } = await withStore(options, async ({ store, clock }) => {
    const owner = options.user === undefined ? undefined : await requirePerson(store, options.user)
    return { rows: await listKeys(store, owner?.id), now: clock.now() }
  })
  const presented = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    prefix: displayPrefix(row.lookup),
    name: row.name,
    owner: row.email,
    state: keyState(row, now),
    read_only: row.read_only === 1,
    toolsets: row.toolsets_json === null ? null : (JSON.parse(row.toolsets_json) as string[]),
    admin: row.admin_grant === 1,
    hold_outbound: row.hold_outbound === 1,
    created_at: isoOrNull(row.created_at),
    expires_at: isoOrNull(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.last_used_at),
    last_ip: row.last_ip,
    last_client: row.last_client,
  }))
  const lines = rows.map((row, i) => [
    row.id,
    presented[i]!.prefix,
    row.name,
    row.email,
    presented[i]!.state,
    restrictionsText(presented[i]!),
    formatMoment(row.created_at),
    formatMoment(row.last_used_at),
    formatMoment(row.expires_at),
  ])
  print(options.json, presented, () =>
    table(['ID', 'KEY', 'NAME', 'OWNER', 'STATE', 'MAY', 'CREATED', 'LAST USED', 'EXPIRES'], lines),
  )
}

/** Restrictions of a key relative to its owner, or its administrator grant. */
function restrictionsText({
  read_only,
  toolsets,
  admin,
  hold_outbound,
}: {
  read_only: boolean
  toolsets: readonly string[] | null
  admin: boolean
  hold_outbound: boolean
}): string {
  return (
    [
      read_only && 'read',
      admin && 'administer',
      hold_outbound && 'ask before sending',
      toolsets?.join(','),
    ]
      .filter(Boolean)
      .join(' ') || '–'
  )
}

async function revoke(text: string, options: CommonOptions): Promise<void> {
  const { key, already } = await withStore(options, ({ store, clock, settings }) =>
    revokeKey(store, clock, settings.data, { key: text }),
  )
  const prefix = displayPrefix(key.lookup)
  print(
    options.json,
    { id: key.id, prefix, name: key.name, revoked_at: isoOrNull(key.revoked_at), already },
    () => {
      if (already)
        return `${prefix} "${key.name}" was already revoked at ${formatMoment(key.revoked_at)}.`
      return `${prefix} "${key.name}" is revoked. It no longer works and cannot be restored.`
    },
  )
}

function checkKeyFormat(text: string, cliOptions: CommonOptions): void {
  const wellFormed = isWellFormedKey(text)
  print(cliOptions.json, { well_formed: wellFormed }, () =>
    wellFormed ? 'This is a well-formed key; its checksum is correct.' : 'This is not a key.',
  )
  if (!wellFormed) process.exitCode = exitCodes.refused
}
