import { omitUndefined, omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { endpoint, type PersonRequest } from '../../operations/endpoints/endpoint.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { checkServers, countAttempt, tryServers } from './accounts-logins.ts'
import { account, serversOf, type AccountRow } from './access.ts'
import { requestSync } from './additions.ts'
import { ensureDefaultAccount } from './defaults.ts'
import { AccountTest, ConnectedAccount, presentAccount } from './shapes.ts'
import { NeedsSignIn, signInto } from './sync-sign-in.ts'

const secret = z.string().min(1).max(1000)
const serviceOfColumn = { has_mail: 'mail', has_calendar: 'calendar', has_drive: 'drive' } as const

export const listAccounts = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/accounts',
  name: 'list_accounts',
  about: 'your [connected accounts](accounts.md), and whether Google can be connected here',
  output: z.strictObject({
    items: z.array(ConnectedAccount),
    has_more: z.literal(false),
    google: z.boolean(),
  }),
  async handle(_, request) {
    const rows = await request.read((ctx) =>
      account.visibleTo(ctx).selectAll().orderBy('accounts.id').execute(),
    )
    return {
      items: rows.map(presentAccount),
      has_more: false as const,
      google: request.settings.google_client_id !== '',
    }
  },
})

export const changeAccount = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/accounts/:id',
  name: 'change_account',
  about: 'changes the account',
  input: {
    display_name: z.string().trim().min(1).max(200).optional(),
    signature_markdown: z.string().max(10_000).nullable().optional(),
    default: z.literal(true).optional(),
    has_mail: z.boolean().optional(),
    has_calendar: z.boolean().optional(),
    has_drive: z.boolean().optional(),
  },
  output: ConnectedAccount,
  async handle({ default: isDefault, display_name, signature_markdown, ...switches }, request) {
    const row = await request.change(async (ctx) => {
      const before = await requireAccount(ctx, request)
      const changedSwitches = Object.entries(switches).filter(
        ([, value]) => value !== undefined,
      ) as [keyof typeof serviceOfColumn, boolean][]
      for (const [name, value] of changedSwitches) if (value) checkAvailable(before, name)
      const services = Object.fromEntries(
        changedSwitches.map(([name, value]) => [name, value ? 1 : 0]),
      )
      const updated = { ...before, ...services }
      if (updated.has_mail + updated.has_calendar + updated.has_drive === 0)
        throw new Refusal(
          'invalid_argument',
          'The account would no longer be used for anything.',
          'Switch it off as a whole (disable), or remove it.',
        )
      if (isDefault && updated.has_mail === 0)
        throw new Refusal('invalid_argument', 'This account cannot send mail.', {
          field: 'default',
        })
      if (isDefault && before.status === 'disabled')
        throw new Refusal('invalid_argument', 'This account is switched off.', {
          field: 'default',
          hint: 'Switch it on first.',
        })
      if (isDefault && before.is_default === 0) await dropDefault(ctx)
      const patch = omitUndefined({
        ...services,
        display_name,
        signature_markdown,
        is_default: isDefault ? (1 as const) : undefined,
      })
      const after = await ctx.change('accounts', before, patch)
      if (changedSwitches.some(([, value]) => value) && after.status !== 'disabled')
        await requestSync(ctx, after)
      return withDefault(ctx, after)
    })
    return presentAccount(row)
  },
})

/** Updates the default account, and returns the current row of an account. */
async function withDefault(ctx: WriteContext, row: AccountRow): Promise<AccountRow> {
  await ensureDefaultAccount(ctx)
  return (await account.find(ctx, row.id)) ?? row
}

async function dropDefault(ctx: WriteContext): Promise<void> {
  for (const other of await account
    .visibleTo(ctx)
    .selectAll()
    .where('accounts.is_default', '=', 1)
    .execute())
    await ctx.change('accounts', other, { is_default: 0 })
}

function availableServices(row: AccountRow): ReturnType<typeof servicesIn> {
  if (row.provider === 'google') return servicesIn(JSON.parse(row.scopes_json ?? '[]') as string[])
  const servers = JSON.parse(row.servers_json) as Record<string, unknown>
  return {
    mail: servers.imap !== undefined,
    calendar: servers.caldav !== undefined,
    drive: false,
  }
}

/** Refuses services that the owner's consent or the servers do not provide. */
function checkAvailable(row: AccountRow, name: keyof typeof serviceOfColumn): void {
  const what = serviceOfColumn[name]
  if (availableServices(row)[what]) return
  throw new Refusal(
    'invalid_argument',
    `This account has no ${what === 'drive' ? 'files' : what} that could be used.`,
    {
      field: name,
      hint:
        row.provider === 'google'
          ? 'Sign in to Google again and allow it there.'
          : 'Connect it as a separate account.',
    },
  )
}

export const scopes = {
  mail: 'https://mail.google.com/',
  calendar: 'https://www.googleapis.com/auth/calendar',
  drive: 'https://www.googleapis.com/auth/drive',
} as const

/** Services that the granted Google scopes permit; a person may grant only some. */
export function servicesIn(granted: readonly string[]): Record<keyof typeof scopes, boolean> {
  return {
    mail: granted.includes(scopes.mail),
    calendar: granted.includes(scopes.calendar),
    drive: granted.includes(scopes.drive),
  }
}

export const testAccount = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/accounts/:id/test',
  name: 'test_account',
  about: 'signs in to its servers: `works`, or a description of the `problem`',
  output: AccountTest,
  async handle(_, request) {
    const row = await request.read((ctx) => requireAccount(ctx, request))
    countAttempt(request)
    const { imap, smtp, caldav } = serversOf(request.settings, row)
    const serversInUse = omitNullish({
      imap: row.has_mail === 1 && imap ? imap : undefined,
      smtp: row.has_mail === 1 && smtp ? smtp : undefined,
      caldav: row.has_calendar === 1 && caldav ? caldav : undefined,
    })
    try {
      const login = await signInto(request, row)
      await checkServers(request.outbound, serversInUse)
      await tryServers(
        request,
        serversInUse,
        login,
        await signInto(request, row, { server: 'smtp' }),
      )
      return { works: true, tried: Object.keys(serversInUse) }
    } catch (error) {
      if (error instanceof Refusal)
        return omitNullish({
          works: false,
          problem: error.message,
          what_to_do: error.more.hint,
        })
      if (error instanceof NeedsSignIn) return { works: false, problem: error.message }
      request.log.warn('an account could not be tested', {
        account: row.id,
        why: error instanceof Error ? error.message.slice(0, 200) : String(error),
      })
      return {
        works: false,
        problem: 'The provider of this account could not be reached.',
        what_to_do: 'Try again in a minute.',
      }
    }
  },
})

export const enterPassword = endpoint({
  for: 'recent-person',
  method: 'POST',
  path: '/web/accounts/:id/password',
  name: 'enter_account_password',
  about: 'signs in to the account again',
  input: {
    password: secret,
    smtp_password: secret.nullable().optional().describe('null: the same'),
  },
  output: ConnectedAccount,
  async handle({ password, smtp_password }, request) {
    const row = await request.read((ctx) => requireAccount(ctx, request))
    if (row.provider === 'google')
      throw new Refusal(
        'invalid_argument',
        'Google does not accept a password here: sign in on its page.',
        'Start with POST /web/accounts/google/start, with this account_id.',
      )
    countAttempt(request)
    const smtpPassword =
      smtp_password === undefined
        ? await request.secrets.read('accounts', row, 'smtp_password')
        : (smtp_password ?? undefined)
    await tryServers(
      request,
      serversOf(request.settings, row),
      { user: row.login, password },
      { user: row.login, password: smtpPassword ?? password },
    )
    const after = await request.change(async (ctx) => {
      const before = await requireAccount(ctx, request)
      await ctx.secrets.put('accounts', before, 'password', password)
      if (smtp_password === null) await ctx.secrets.drop('accounts', before, 'smtp_password')
      else if (smtp_password !== undefined)
        await ctx.secrets.put('accounts', before, 'smtp_password', smtp_password)
      return recordSignIn(ctx, before, {})
    })
    return presentAccount(after)
  },
})

export const disableAccount = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/accounts/:id/disable',
  name: 'disable_account',
  about: 'turns it off',
  output: ConnectedAccount,
  handle: async (_, request) =>
    presentAccount(
      await request.change(async (ctx) =>
        withDefault(
          ctx,
          await ctx.change('accounts', await requireAccount(ctx, request), { status: 'disabled' }),
        ),
      ),
    ),
})

export const enableAccount = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/accounts/:id/enable',
  name: 'enable_account',
  about: 'turns it on again',
  output: ConnectedAccount,
  handle: async (_, request) =>
    presentAccount(
      await request.change(async (ctx) => {
        const before = await requireAccount(ctx, request)
        return before.status === 'disabled' ? enableSync(ctx, before, {}) : before
      }),
    ),
})

/** Called after the owner has provided a working password or consent. A disabled account stays disabled. */
export async function recordSignIn(
  ctx: WriteContext,
  row: AccountRow,
  more: Partial<AccountRow>,
): Promise<AccountRow> {
  const patch = { ...more, signed_in_at: ctx.now }
  return row.status === 'disabled'
    ? ctx.change('accounts', row, patch)
    : enableSync(ctx, row, patch)
}

async function enableSync(
  ctx: WriteContext,
  row: AccountRow,
  patch: Partial<AccountRow>,
): Promise<AccountRow> {
  const after = await ctx.change('accounts', row, {
    ...patch,
    status: row.last_sync_at === null ? 'syncing' : 'active',
    problem: null,
    problem_since: null,
    services_json: withoutProblems(row.services_json),
  })
  await requestSync(ctx, after)
  return withDefault(ctx, after)
}

function withoutProblems(text: string): string {
  const services = Object.entries(JSON.parse(text) as Record<string, { synced_at?: number }>)
  return JSON.stringify(
    Object.fromEntries(
      services.map(([name, { synced_at }]) => [name, synced_at === undefined ? {} : { synced_at }]),
    ),
  )
}

/** The account named in the path. @throws Refusal not_found */
export async function requireAccount(
  ctx: ReadContext,
  { params: { id = '' } }: Pick<PersonRequest, 'params'>,
): Promise<AccountRow> {
  const row = await account.find(ctx, id)
  if (!row) throw notFound('account', 'id')
  return row
}
