import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { App } from '../../operations/app.ts'
import { callEndpoint } from '../../operations/endpoints/person-request.ts'
import {
  addCommand,
  addCommandGroup,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { CliError } from '../exit.ts'
import { withApp } from '../open.ts'
import { commandLineActor } from '../../identity/people.ts'
import { readPassword } from './password.ts'

export function registerAccountsCommands(program: Command): void {
  const accounts = addCommandGroup(
    program,
    'accounts',
    'Connect external mail, calendar and file accounts, and manage them.',
    [
      'workspace accounts add imap --person ann@example.org --address ann@mail.example --password-stdin',
      'workspace accounts list',
    ],
  )
  registerAdd(accounts)
  addCommand(accounts, 'list', 'List connected accounts and their problems.', [
    'workspace accounts list',
    'workspace accounts list --person ann@example.org --json',
  ])
    .option('--person <email>', 'only accounts of this person')
    .action(printAccounts)
  registerActions(accounts)
}

function registerAdd(accounts: Command): void {
  addCommand(
    accounts,
    'add <kind>',
    'Connect an account for a person: imap (mail), caldav (calendars) or google.',
    [
      'pass show mail | workspace accounts add imap --person ann@example.org --address ann@mail.example --password-stdin',
      'workspace accounts add imap --person ann@example.org --address ann@mail.example --imap mail.example:993 --smtp mail.example:587:start --password-file ann.password',
      'workspace accounts add caldav --person ann@example.org --address ann@mail.example --url https://dav.example/ --password-file ann.password',
      'workspace accounts add google --person ann@example.org --services mail,calendar',
    ],
  )
    .requiredOption('--person <email>', 'owner of the account')
    .option('--address <address>', 'address of the account; not needed for google')
    .option('--login <name>', 'user name at the servers (default: the address)')
    .option('--display-name <name>', 'sender name of outgoing mail')
    .option(
      '--imap <host:port[:start]>',
      'incoming mail server (default: discovered); append :start for STARTTLS',
    )
    .option('--smtp <host:port[:start]>', 'outgoing mail server (default: discovered)')
    .option('--url <url>', 'CalDAV address (default: discovered)')
    .option('--services <names>', 'google: mail, calendar, drive, comma-separated (default: all)')
    .option('--password-file <file>', 'read the password from a file')
    .option('--password-stdin', 'read the password from stdin; prompts at a terminal')
    .action(add)
}

function registerActions(accounts: Command): void {
  for (const [name, about] of [
    ['test', 'Test the connection: sign in to the servers of an account.'],
    ['disable', 'Disable an account; its data here is kept.'],
    ['enable', 'Enable an account again.'],
    [
      'remove',
      'Remove an account and erase its data here, but nothing on its servers. For Google, also revokes the consent.',
    ],
  ] as const) {
    addCommand(accounts, `${name} <id>`, about, [
      `workspace accounts ${name} mac_01… --person ann@example.org`,
    ])
      .requiredOption('--person <email>', 'owner of the account')
      .action((id: string, options: CommonOptions & { person: string }) =>
        runAccountAction(name, id, options),
      )
  }
}

interface AddOptions extends CommonOptions {
  person: string
  address?: string
  login?: string
  displayName?: string
  imap?: string
  smtp?: string
  url?: string
  services?: string
  passwordFile?: string
  passwordStdin?: true
}

async function add(kind: string, options: AddOptions): Promise<void> {
  if (kind !== 'imap' && kind !== 'caldav' && kind !== 'google')
    throw new CliError('usage', `Unknown kind ${kind}; use imap, caldav or google.`)
  const account = kind === 'google' ? await addGoogle(options) : await addByPassword(kind, options)
  print(
    options.json,
    account,
    () =>
      `Connected ${account.address} (${account.id}) for ${options.person}. The running server fetches its contents.`,
  )
}

interface AccountSummary {
  id: string
  address: string
  status: string
  problem?: string
}

async function addByPassword(
  kind: 'imap' | 'caldav',
  options: AddOptions,
): Promise<AccountSummary> {
  if (options.address === undefined)
    throw new CliError('usage', '--address is required for this kind of account.')
  const { address, login, displayName: display_name } = options
  const servers =
    kind === 'imap'
      ? {
          imap: parseServerAddress('--imap', options.imap),
          smtp: parseServerAddress('--smtp', options.smtp),
          caldav_url: options.url,
        }
      : { url: options.url }
  const password = await passwordOf(options)
  return callAsPerson(options, kind === 'imap' ? 'add_imap_account' : 'add_caldav_account', {
    address,
    password,
    login,
    display_name,
    ...servers,
  })
}

/** Reads a file or stdin: any process on the machine can see a command line. */
async function passwordOf({ passwordFile, passwordStdin }: AddOptions): Promise<string> {
  if (passwordFile === undefined && !passwordStdin && !process.stdin.isTTY)
    throw new CliError('usage', 'No password given. Use --password-file or --password-stdin.')
  if (passwordFile === undefined) return readPassword()
  try {
    return readFileSync(passwordFile, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CliError('usage', `--password-file: ${(error as Error).message}`)
  }
}

function parseServerAddress(flag: string, text: string | undefined) {
  if (text === undefined) return undefined
  const [, host, port, startTls] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})(:start)?$/.exec(text) ?? []
  if (host === undefined)
    throw new CliError('usage', `${flag}: use host:port, or host:port:start for STARTTLS.`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port), tls: startTls ? 'start' : 'tls' }
}

/** Consent can be given in any browser: only the address it redirects to is needed here. */
async function addGoogle(options: AddOptions): Promise<AccountSummary> {
  const services = options.services?.split(',').map((part) => part.trim())
  return withPerson(options, async (app, run) => {
    const { url } = await run<{ url: string }>('start_google_sign_in', { services })
    process.stderr.write(
      `Open this address in the browser of ${options.person}, and agree there:\n\n${url}\n\nThen paste the address of the page that the browser comes back to (it begins with ${app.baseUrl}/):\n`,
    )
    const back = URL.parse(await readLine())
    const [state, code] = [back?.searchParams.get('state'), back?.searchParams.get('code')]
    if (!state || !code)
      throw new CliError('refused', 'This is not the address of the page that Google redirects to.')
    return run<AccountSummary>('finish_google_sign_in', { state, code })
  })
}

async function readLine(): Promise<string> {
  const terminal = createInterface({ input: process.stdin })
  for await (const text of terminal) {
    if (text.trim() === '') continue
    terminal.close()
    return text.trim()
  }
  return ''
}

async function printAccounts(options: CommonOptions & { person?: string }): Promise<void> {
  const rows = await withApp(options, async (app) => {
    const all = app.store.read
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.owner_id')
      .where('accounts.removed_at', 'is', null)
    const accounts =
      options.person === undefined
        ? all
        : all.where('users.email', '=', options.person.toLowerCase())
    return accounts
      .select([
        'accounts.id',
        'users.email as person',
        'accounts.provider',
        'accounts.address',
        'accounts.status',
        'accounts.problem',
        'accounts.last_sync_at',
      ])
      .orderBy('users.email')
      .orderBy('accounts.id')
      .execute()
  })
  const lines = rows.map((row) => [
    row.id,
    row.person,
    row.provider,
    row.address,
    row.status,
    formatMoment(row.last_sync_at),
    row.problem ?? '',
  ])
  print(options.json, rows, () =>
    rows.length === 0
      ? 'No accounts are connected.'
      : table(['ID', 'PERSON', 'PROVIDER', 'ADDRESS', 'STATUS', 'SYNCED', 'PROBLEM'], lines),
  )
}

async function runAccountAction(
  name: 'test' | 'disable' | 'enable' | 'remove',
  id: string,
  cliOptions: CommonOptions & { person: string },
): Promise<void> {
  const result = await callAsPerson<
    AccountSummary & {
      works?: boolean
      problem?: string
      what_to_do?: string
      consent_ended?: boolean
    }
  >(cliOptions, `${name}_account`, {}, { id })
  if (result.works === false) process.exitCode = 1
  print(cliOptions.json, result, () => {
    if (name === 'test')
      return result.works
        ? 'It works.'
        : [result.problem, result.what_to_do].filter(Boolean).join('\n')
    if (name === 'remove')
      return [`Removed ${id}. The running server erases its data here.`, result.what_to_do]
        .filter(Boolean)
        .join('\n')
    return `${result.address} is ${result.status}.`
  })
}

function callAsPerson<T = AccountSummary>(
  options: CommonOptions & { person: string },
  tool: string,
  body: Record<string, unknown>,
  params: Record<string, string> = {},
): Promise<T> {
  return withPerson(options, (_, run) => run<T>(tool, body, params))
}

type RunAs = <T>(
  tool: string,
  body: Record<string, unknown>,
  params?: Record<string, string>,
) => Promise<T>

async function withPerson<T>(
  options: CommonOptions & { person: string },
  work: (app: App, run: RunAs) => Promise<T>,
): Promise<T> {
  return withApp(options, async (app) => {
    const actor = await commandLineActor(app.store, options.person)
    const run = (
      tool: string,
      body: Record<string, unknown>,
      params: Record<string, string> = {},
    ) => {
      const request = {
        tool,
        args: {},
        transport: 'cli' as const,
        requestId: randomUUID(),
        route: `workspace accounts (${tool})`,
        ip: '',
      }
      return callEndpoint(app, actor, request, body, params)
    }
    return work(app, run as RunAs)
  })
}
