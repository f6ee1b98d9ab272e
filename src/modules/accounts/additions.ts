import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { endpoint, type PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { discover, domainOf, knownProvider, plainAddress } from './accounts-discovery.ts'
import { checkServers, countAttempt, tryServers } from './accounts-logins.ts'
import { account, syncKinds, type AccountRow } from './access.ts'
import { ensureDefaultAccount } from './defaults.ts'
import type { Servers } from './servers.ts'
import { ConnectedAccount, DiscoveredServers, EnteredMailServer, presentAccount } from './shapes.ts'

const maxAccounts = 20
const secret = z.string().min(1).max(1000)
const name = z.string().trim().max(200)

export const discoverServers = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/accounts/discover',
  name: 'discover_account_servers',
  about: 'the mail and calendar servers of an address, and notes about connecting it',
  input: { address: z.string().max(320) },
  output: DiscoveredServers,
  async handle({ address: enteredAddress }, request) {
    const address = requireAddress(enteredAddress)
    countAttempt(request)
    return discover(request, address)
  },
})

export const addImapAccount = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/imap',
  name: 'add_imap_account',
  about: 'tests the servers and connects the account',
  input: {
    address: z.string().max(320),
    password: secret,
    login: name.min(1).optional(),
    display_name: name.optional(),
    imap: EnteredMailServer.optional().describe('`{"host", "port", "tls": "tls" or "start"}`'),
    smtp: EnteredMailServer.optional().describe('the same'),
    smtp_password: secret.optional(),
    caldav_url: z.string().max(2000).nullable().optional().describe('null: no calendars'),
  },
  output: ConnectedAccount,
  async handle(
    { address: enteredAddress, password, smtp_password, display_name, ...enteredServers },
    request,
  ) {
    const address = requireAddress(enteredAddress)
    await request.read((ctx) => checkNew(ctx, 'imap', address))
    countAttempt(request)
    const { servers, login, isCaldavDiscovered, note } = await serversFor(
      request,
      address,
      enteredServers,
    )
    await checkServers(request.outbound, servers)
    const { caldav, ...mail } = servers
    await tryServers(
      request,
      mail,
      { user: login, password },
      { user: login, password: smtp_password ?? password },
      note,
    )
    const calendars =
      caldav &&
      (await usableCalendars(request, servers, { user: login, password }, isCaldavDiscovered))
    const serverSettings = omitNullish({ ...mail, caldav: calendars ? caldav : undefined })
    const row = await request.change(async (ctx) => {
      await checkNew(ctx, 'imap', address)
      const added = await addAccount(ctx, {
        provider: 'imap',
        address,
        display_name: display_name || ctx.actor.display_name,
        login,
        has_mail: 1,
        has_calendar: calendars ? 1 : 0,
        has_drive: 0,
        servers_json: JSON.stringify(serverSettings),
        scopes_json: null,
      })
      await ctx.secrets.put('accounts', added, 'password', password)
      if (smtp_password !== undefined)
        await ctx.secrets.put('accounts', added, 'smtp_password', smtp_password)
      return added
    })
    return presentAccount(row)
  },
})

export const addCaldavAccount = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/caldav',
  name: 'add_caldav_account',
  about: 'tests the server and connects the account',
  input: {
    address: z.string().max(320),
    password: secret,
    url: z.string().max(2000).optional(),
    login: name.min(1).optional(),
    display_name: name.optional(),
  },
  output: ConnectedAccount,
  async handle({ address: enteredAddress, password, url, login: user, display_name }, request) {
    const address = requireAddress(enteredAddress)
    await request.read((ctx) => checkNew(ctx, 'caldav', address))
    countAttempt(request)
    const caldav = url === undefined ? (await discover(request, address)).caldav : { url }
    if (!caldav)
      throw new Refusal(
        'invalid_argument',
        `No calendar server was found for ${domainOf(address)}.`,
        { field: 'url', hint: 'Enter its CalDAV address; your provider can tell you what it is.' },
      )
    const login = user ?? address
    await checkServers(request.outbound, { caldav })
    await tryServers(request, { caldav }, { user: login, password })
    const row = await request.change(async (ctx) => {
      await checkNew(ctx, 'caldav', address)
      const added = await addAccount(ctx, {
        provider: 'caldav',
        address,
        display_name: display_name || address,
        login,
        has_mail: 0,
        has_calendar: 1,
        has_drive: 0,
        servers_json: JSON.stringify({ caldav }),
        scopes_json: null,
      })
      await ctx.secrets.put('accounts', added, 'password', password)
      return added
    })
    return presentAccount(row)
  },
})

interface EnteredServers {
  login?: string | undefined
  imap?: Servers['imap'] | undefined
  smtp?: Servers['smtp'] | undefined
  caldav_url?: string | null | undefined
}

/** Servers that the person entered take precedence; missing ones are discovered. */
async function serversFor(
  request: PersonRequest,
  address: string,
  { login, imap, smtp, caldav_url }: EnteredServers,
): Promise<{
  servers: Servers
  login: string
  isCaldavDiscovered: boolean
  note: string | undefined
}> {
  const discovered = imap && smtp ? undefined : await discover(request, address)
  const mail = { imap: imap ?? discovered?.imap, smtp: smtp ?? discovered?.smtp }
  if (!mail.imap)
    throw new Refusal('invalid_argument', `No mail server was found for ${address}.`, {
      field: 'imap',
      hint:
        discovered?.note ??
        'Enter it: its name, its port and whether it uses TLS from the first byte (tls) or STARTTLS (start).',
    })
  if (!mail.smtp)
    throw new Refusal('invalid_argument', `No outgoing mail server was found for ${address}.`, {
      field: 'smtp',
      hint: 'Enter it: its name, its port and whether it uses TLS from the first byte (tls, port 465) or STARTTLS (start, port 587).',
    })
  const isCaldavDiscovered =
    caldav_url === undefined && imap === undefined && discovered?.caldav !== undefined
  const url = caldav_url ?? (isCaldavDiscovered ? discovered!.caldav!.url : undefined)
  return {
    servers: omitNullish({
      imap: mail.imap,
      smtp: mail.smtp,
      caldav: url === undefined ? undefined : { url },
    }),
    login: login ?? discovered?.login ?? address,
    isCaldavDiscovered,
    note: discovered?.note ?? knownProvider(address)?.servers.note,
  }
}

/** Calendars not explicitly requested are omitted if they cannot be opened; a mail account may have none. */
async function usableCalendars(
  request: PersonRequest,
  { caldav }: Servers,
  login: { user: string; password: string },
  isDiscovered: boolean,
): Promise<boolean> {
  try {
    await tryServers(request, { caldav: caldav! }, login)
    return true
  } catch (error) {
    if (isDiscovered && error instanceof Refusal) return false
    throw error
  }
}

function requireAddress(text: string): string {
  const address = plainAddress(text)
  if (address === undefined)
    throw invalid('address', 'this is not an email address such as ann@example.org.')
  return address
}

/** @throws Refusal conflict if the person has it already, or has too many */
export async function checkNew(
  ctx: ReadContext,
  provider: AccountRow['provider'],
  address: string,
): Promise<void> {
  const accounts = await account
    .visibleTo(ctx)
    .select(['accounts.id', 'accounts.provider', 'accounts.address'])
    .execute()
  const existing = accounts.find((item) => item.provider === provider && item.address === address)
  if (existing)
    throw new Refusal('conflict', `${address} is already connected.`, {
      hint: 'Sign in to it again, or remove it first.',
      context: { account_id: existing.id },
    })
  if (accounts.length >= maxAccounts)
    throw new Refusal(
      'conflict',
      `You have ${accounts.length} accounts, the maximum.`,
      'Remove one you do not need.',
    )
}

type NewAccount = Pick<
  AccountRow,
  | 'provider'
  | 'address'
  | 'display_name'
  | 'login'
  | 'has_mail'
  | 'has_calendar'
  | 'has_drive'
  | 'servers_json'
  | 'scopes_json'
>

/**
 * Adds an account for the actor, and requests its first sync. The first one with mail becomes the default sender
 * until its owner changes that.
 */
export async function addAccount(ctx: WriteContext, newAccount: NewAccount): Promise<AccountRow> {
  const row = await ctx.add('accounts', {
    ...newAccount,
    owner_id: ctx.actor.id,
    status: 'syncing',
    services_json: '{}',
    signed_in_at: ctx.now,
    is_default: 0,
  })
  await ensureDefaultAccount(ctx)
  await requestSync(ctx, row)
  return (await account.find(ctx, row.id))!
}

/** Adds the sync jobs of the services that an account has. */
export async function requestSync(ctx: WriteContext, row: AccountRow): Promise<void> {
  const jobNames = ctx.catalogue.modules
    .flatMap((module) => module.jobs ?? [])
    .map((item) => item.name)
  for (const service of ['mail', 'calendar', 'drive'] as const) {
    const kind = syncKinds[service]
    if (row[`has_${service}`] === 1 && jobNames.includes(kind))
      await ctx.job(kind, { account_id: row.id }, { uniqueKey: row.id, whileRunning: 'again' })
  }
}
