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
    rows.map((row) => [row.id, factsOf(row, accounts.get(row.account_id) ?? '', byId.get(row.id))]),
  )
}

function factsOf(
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

/** Stores a rule's hit count and last problem; not recorded as a change. */
export async function recordHits(
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

/** Maximum wait for a body; then rules are applied without it. */
const maxBodyWaitMs = 10 * 60_000

/** Whether queued messages have their bodies, so that rules can be applied. */
export async function hasQueuedEmails(all: Kysely<Tables>): Promise<boolean> {
  const queuedEmail = await all
    .selectFrom('email_rule_queue')
    .innerJoin('emails', 'emails.id', 'email_rule_queue.email_id')
    .select('emails.id')
    .where('emails.body_state', '<>', 'pending')
    .limit(1)
    .executeTakeFirst()
  return queuedEmail !== undefined
}

/** Messages waiting for rules, oldest first; those without a body only after the maximum wait. */
export function queuedEmails(
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
        eb('email_rule_queue.added_at', '<', now - maxBodyWaitMs),
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

/** The next rule to apply to existing mail, of an active person. */
export function nextSweepRule(all: Kysely<Tables>): Promise<Rule | undefined> {
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

/** Stores a rule's position in existing mail, newest first; null: finished. */
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
  await setSweep(accessScopeOf(viewer).all, rule, {
    at: accessScopeOf(viewer).now + 1,
    id: '',
  })
}

/** The messages to which rules may be applied: received, and neither in trash nor in spam. */
export function eligibleEmails(
  items: Scoped<'emails'>,
  accountId: string | null,
): Scoped<'emails'> {
  const query = items
    .where('emails.is_own', '=', 0)
    .where('emails.place', 'in', ['inbox', 'archive', 'folder'])
  return accountId === null
    ? query
    : query.where('emails.account_id', '=', accountId as Email['account_id'])
}
