import { omitUndefined } from '../../../kernel/present.ts'
import type { Kysely } from 'kysely'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import type { MailFacts } from './conditions.ts'

type Email = Row<'emails'>
type Rule = Row<'email_rules'>
type Addresses = Partial<Record<'to' | 'cc', { name?: string; email: string }[]>>

/**
 * Properties of messages that rules match on; bodies and headers only on request. The reader must be able to see the
 * messages.
 */
export async function mailFactsOf(
  viewer: Viewer,
  rows: readonly Email[],
  withBodies: boolean,
): Promise<Map<string, MailFacts>> {
  const { all } = accessScopeOf(viewer)
  const accounts = new Map(
    (
      await all
        .selectFrom('accounts')
        .select(['id', 'address'])
        .where('id', 'in', [...new Set(rows.map((row) => row.account_id))])
        .execute()
    ).map((row) => [row.id as string, row.address]),
  )
  const bodies =
    withBodies && rows.length > 0
      ? await all
          .selectFrom('email_bodies')
          .select(['email_id', 'own_markdown', 'quoted_markdown', 'headers_json'])
          .where(
            'email_id',
            'in',
            rows.map((row) => row.id),
          )
          .execute()
      : []
  const byId = new Map(bodies.map((body) => [body.email_id as string, body]))
  return new Map(
    rows.map((row) => [row.id, factOf(row, accounts.get(row.account_id) ?? '', byId.get(row.id))]),
  )
}

function factOf(
  row: Email,
  address: string,
  body: Pick<Row<'email_bodies'>, 'own_markdown' | 'quoted_markdown' | 'headers_json'> | undefined,
): MailFacts {
  const { to = [], cc = [] } = JSON.parse(row.addresses_json) as Addresses
  const people = (list: readonly { name?: string; email: string }[]) =>
    list.map((item) => ({ name: item.name ?? '', address: item.email.toLowerCase() }))
  const headers = body ? (JSON.parse(body.headers_json) as { name: string; value: string }[]) : []
  return {
    from: [{ name: row.from_name ?? '', address: row.from_email }],
    to: people(to),
    cc: people(cc),
    subject: row.subject,
    body: body ? `${body.own_markdown}\n${body.quoted_markdown}` : row.snippet,
    headers: headers.map((header) => `${header.name}: ${header.value}`),
    list: headers.find((header) => header.name.toLowerCase() === 'list-id')?.value ?? '',
    isList: row.is_bulk === 1,
    hasAttachment: row.has_attachment === 1,
    account: [address, row.account_id],
    size: row.size_bytes,
  }
}

/** Counts what a rule did, and why an action of it failed last; no change of the rule itself. */
export async function noteHits(
  viewer: Viewer,
  rule: Pick<Rule, 'id'>,
  hits: number,
  problem: string | null | undefined,
): Promise<void> {
  const { all, now } = accessScopeOf(viewer)
  await all
    .updateTable('email_rules')
    .set((eb) =>
      omitUndefined({
        hits: eb('hits', '+', hits),
        last_hit_at: hits > 0 ? now : undefined,
        problem,
      }),
    )
    .where('id', '=', rule.id)
    .execute()
}

/** Bodies are waited for so long, then rules look at what there is. */
const bodyWait = 10 * 60_000

/** Whether messages wait for rules whose bodies are here. */
export async function areQueued(all: Kysely<Tables>): Promise<boolean> {
  const queuedEmail = await all
    .selectFrom('email_rule_queue')
    .innerJoin('emails', 'emails.id', 'email_rule_queue.email_id')
    .select('emails.id')
    .where('emails.body_state', '<>', 'pending')
    .limit(1)
    .executeTakeFirst()
  return queuedEmail !== undefined
}

/** Messages that wait for rules, those that came first first; those without their body only where they have waited long. */
export function queued(
  all: Kysely<Tables>,
  now: number,
  limit: number,
): Promise<Pick<Row<'email_rule_queue'>, 'email_id' | 'owner_id'>[]> {
  return all
    .selectFrom('email_rule_queue')
    .innerJoin('emails', 'emails.id', 'email_rule_queue.email_id')
    .innerJoin('users', 'users.id', 'emails.owner_id')
    .select(['email_rule_queue.email_id', 'email_rule_queue.owner_id'])
    .where('users.status', '=', 'active')
    .where((eb) =>
      eb.or([
        eb('emails.body_state', '<>', 'pending'),
        eb('email_rule_queue.added_at', '<', now - bodyWait),
      ]),
    )
    .orderBy('email_rule_queue.added_at')
    .orderBy('email_rule_queue.email_id')
    .limit(limit)
    .execute()
}

export async function dequeue(all: Kysely<Tables>, emailId: string): Promise<void> {
  await all
    .deleteFrom('email_rule_queue')
    .where('email_id', '=', emailId as Row<'email_rule_queue'>['email_id'])
    .execute()
}

/** A rule that goes through the mail that was there before it; those of people who were deactivated wait for them. */
export function sweeping(all: Kysely<Tables>): Promise<Rule | undefined> {
  return all
    .selectFrom('email_rules')
    .innerJoin('users', 'users.id', 'email_rules.owner_id')
    .selectAll('email_rules')
    .where('email_rules.sweep_at', 'is not', null)
    .where('users.status', '=', 'active')
    .orderBy('email_rules.id')
    .limit(1)
    .executeTakeFirst()
}

/** Lets a rule go through what is there, from the newest on; null: it is through. */
export async function setSweep(
  all: Kysely<Tables>,
  rule: Pick<Rule, 'id'>,
  to: { at: number; id: string } | null,
): Promise<void> {
  await all
    .updateTable('email_rules')
    .set({ sweep_at: to?.at ?? null, sweep_id: to?.id ?? null })
    .where('id', '=', rule.id)
    .execute()
}

export async function beginSweep(viewer: Viewer, rule: Pick<Rule, 'id'>): Promise<void> {
  await setSweep(accessScopeOf(viewer).all, rule, { at: accessScopeOf(viewer).now + 1, id: '' })
}

/** The messages that rules may touch of those that are here: received, and neither thrown away nor spam. */
export function ruledOver(items: Scoped<'emails'>, accountId: string | null): Scoped<'emails'> {
  const query = items
    .where('emails.is_own', '=', 0)
    .where('emails.place', 'in', ['inbox', 'archive', 'folder'])
  return accountId === null
    ? query
    : query.where('emails.account_id', '=', accountId as Email['account_id'])
}
