import { defined, present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { personAction, type PersonVisit } from '../../operations/person-actions.ts'
import { notFound, Refusal } from '../../kernel/refusal.ts'
import { checkServers, countTry, tryServers } from './accounts-logins.ts'
import { account, serversOf, type AccountRow } from './access.ts'
import { askToSync } from './additions.ts'
import { settleDefault } from './defaults.ts'
import { shownAccount } from './shapes.ts'
import { NeedsSignIn, signInto } from './sync-sign-in.ts'

const secret = z.string().min(1).max(1000)
const scopeOf = { has_mail: 'mail', has_calendar: 'calendar', has_drive: 'drive' } as const

export const listAccounts = personAction({
  method: 'GET',
  path: '/web/accounts',
  tool: 'list_accounts',
  async work(_, visit) {
    const rows = await visit.look((ctx) =>
      account.visibleTo(ctx).selectAll().orderBy('accounts.id').execute(),
    )
    return {
      items: rows.map(shownAccount),
      has_more: false,
      google: visit.settings.google_client_id !== '',
    }
  },
})

export const changeAccount = personAction({
  method: 'POST',
  path: '/web/accounts/:id',
  tool: 'change_account',
  takes: {
    display_name: z.string().trim().min(1).max(200).optional(),
    signature_markdown: z.string().max(10_000).nullable().optional(),
    default: z.literal(true).optional(),
    has_mail: z.boolean().optional(),
    has_calendar: z.boolean().optional(),
    has_drive: z.boolean().optional(),
  },
  async work({ default: isDefault, display_name, signature_markdown, ...switches }, visit) {
    const row = await visit.change(async (ctx) => {
      const before = await demandAccount(ctx, visit)
      const given = Object.entries(switches).filter(([, value]) => value !== undefined) as [
        keyof typeof scopeOf,
        boolean,
      ][]
      for (const [name, value] of given) if (value) checkServed(before, name)
      const services = Object.fromEntries(given.map(([name, value]) => [name, value ? 1 : 0]))
      const kept = { ...before, ...services }
      if (kept.has_mail + kept.has_calendar + kept.has_drive === 0)
        throw new Refusal(
          'invalid_argument',
          'The account would no longer be used for anything.',
          'Switch it off as a whole (disable), or remove it.',
        )
      if (isDefault && kept.has_mail === 0)
        throw new Refusal('invalid_argument', 'This account cannot send mail.', {
          field: 'default',
        })
      if (isDefault && before.status === 'disabled')
        throw new Refusal('invalid_argument', 'This account is switched off.', {
          field: 'default',
          hint: 'Switch it on first.',
        })
      if (isDefault && before.is_default === 0) await dropDefault(ctx)
      const patch = defined({
        ...services,
        display_name,
        signature_markdown,
        is_default: isDefault ? (1 as const) : undefined,
      })
      const after = await ctx.change('accounts', before, patch)
      if (given.some(([, value]) => value) && after.status !== 'disabled')
        await askToSync(ctx, after)
      return withDefault(ctx, after)
    })
    return shownAccount(row)
  },
})

/** The account as it is once the default one is settled. */
async function withDefault(ctx: Writing, row: AccountRow): Promise<AccountRow> {
  await settleDefault(ctx)
  return (await account.find(ctx, row.id)) ?? row
}

async function dropDefault(
  ctx: Parameters<Parameters<PersonVisit['change']>[0]>[0],
): Promise<void> {
  for (const other of await account
    .visibleTo(ctx)
    .selectAll()
    .where('accounts.is_default', '=', 1)
    .execute())
    await ctx.change('accounts', other, { is_default: 0 })
}

/** What an account can be used for was settled by what its owner agreed to, or by its servers. */
function checkServed(row: AccountRow, name: keyof typeof scopeOf): void {
  const what = scopeOf[name]
  const servers = JSON.parse(row.servers_json) as Record<string, unknown>
  const isServed =
    row.provider === 'google'
      ? servicesIn(JSON.parse(row.scopes_json ?? '[]') as string[])[what]
      : what === 'mail'
        ? servers.imap !== undefined
        : what === 'calendar'
          ? servers.caldav !== undefined
          : false
  if (isServed) return
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

/** What Google lets us use, by the scopes that somebody agreed to: they may leave out some. */
export function servicesIn(granted: readonly string[]): Record<keyof typeof scopes, boolean> {
  return {
    mail: granted.includes(scopes.mail),
    calendar: granted.includes(scopes.calendar),
    drive: granted.includes(scopes.drive),
  }
}

export const testAccount = personAction({
  method: 'POST',
  path: '/web/accounts/:id/test',
  tool: 'test_account',
  async work(_, visit) {
    const row = await visit.look((ctx) => demandAccount(ctx, visit))
    countTry(visit)
    const { imap, smtp, caldav } = serversOf(visit.settings, row)
    const used = present({
      imap: row.has_mail === 1 && imap ? imap : undefined,
      smtp: row.has_mail === 1 && smtp ? smtp : undefined,
      caldav: row.has_calendar === 1 && caldav ? caldav : undefined,
    })
    try {
      const login = await signInto(visit, row)
      await checkServers(visit.outbound, used)
      await tryServers(visit, used, login, await signInto(visit, row, { server: 'smtp' }))
      return { works: true, tried: Object.keys(used) }
    } catch (error) {
      if (error instanceof Refusal)
        return present({
          works: false,
          problem: error.message,
          what_to_do: error.more.hint,
        })
      if (error instanceof NeedsSignIn) return { works: false, problem: error.message }
      visit.log.warn('an account could not be tried', {
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

export const enterPassword = personAction({
  method: 'POST',
  path: '/web/accounts/:id/password',
  tool: 'enter_account_password',
  takes: { password: secret, smtp_password: secret.nullable().optional() },
  fresh: true,
  async work({ password, smtp_password }, visit) {
    const row = await visit.look((ctx) => demandAccount(ctx, visit))
    if (row.provider === 'google')
      throw new Refusal(
        'invalid_argument',
        'Google does not accept a password here: sign in on its page.',
        'Start with POST /web/accounts/google/start, with this account_id.',
      )
    countTry(visit)
    const kept =
      smtp_password === undefined
        ? await visit.secrets.read('accounts', row, 'smtp_password')
        : (smtp_password ?? undefined)
    await tryServers(
      visit,
      serversOf(visit.settings, row),
      { user: row.login, password },
      { user: row.login, password: kept ?? password },
    )
    const after = await visit.change(async (ctx) => {
      const before = await demandAccount(ctx, visit)
      await ctx.secrets.put('accounts', before, 'password', password)
      if (smtp_password === null) await ctx.secrets.drop('accounts', before, 'smtp_password')
      else if (smtp_password !== undefined)
        await ctx.secrets.put('accounts', before, 'smtp_password', smtp_password)
      return signedIn(ctx, before, {})
    })
    return shownAccount(after)
  },
})

export const disableAccount = personAction({
  method: 'POST',
  path: '/web/accounts/:id/disable',
  tool: 'disable_account',
  work: async (_, visit) =>
    shownAccount(
      await visit.change(async (ctx) =>
        withDefault(
          ctx,
          await ctx.change('accounts', await demandAccount(ctx, visit), { status: 'disabled' }),
        ),
      ),
    ),
})

export const enableAccount = personAction({
  method: 'POST',
  path: '/web/accounts/:id/enable',
  tool: 'enable_account',
  work: async (_, visit) =>
    shownAccount(
      await visit.change(async (ctx) => {
        const before = await demandAccount(ctx, visit)
        return before.status === 'disabled' ? started(ctx, before, {}) : before
      }),
    ),
})

type Writing = Parameters<Parameters<PersonVisit['change']>[0]>[0]

/** After its owner has given a password or consent that works. An account that they had switched off stays so. */
export async function signedIn(
  ctx: Writing,
  row: AccountRow,
  more: Partial<AccountRow>,
): Promise<AccountRow> {
  const patch = { ...more, signed_in_at: ctx.now }
  return row.status === 'disabled' ? ctx.change('accounts', row, patch) : started(ctx, row, patch)
}

async function started(
  ctx: Writing,
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
  await askToSync(ctx, after)
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

/** The account that the path names. @throws Refusal not_found */
export async function demandAccount(
  ctx: ReadContext,
  { params: { id = '' } }: Pick<PersonVisit, 'params'>,
): Promise<AccountRow> {
  const row = await account.find(ctx, id)
  if (!row) throw notFound('account', 'id')
  return row
}
