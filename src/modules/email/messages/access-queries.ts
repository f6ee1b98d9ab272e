import { sql, type Expression, type SqlBool } from 'kysely'
import { escapeLike, like } from '../../../db/text-conditions.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../../records/access-scope.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { itemsMatching } from '../../../search/beside.ts'
import { matchFor } from '../../../search/full-text.ts'
import { lowerCaseWords } from '../../../search/tokens.ts'
import { sizeOf, type MailCondition, type MailQuery } from './queries.ts'

/** Common names of the places that every mailbox has. */
const places: Readonly<Record<string, Row<'emails'>['place']>> = {
  inbox: 'inbox',
  archive: 'archive',
  archived: 'archive',
  sent: 'sent',
  drafts: 'drafts',
  draft: 'drafts',
  trash: 'trash',
  bin: 'trash',
  deleted: 'trash',
  spam: 'spam',
  junk: 'spam',
}

/** The place that a name means in every mailbox; undefined for names of other folders. */
export function placeByName(name: string): Row<'emails'>['place'] | undefined {
  const folded = name.trim().toLowerCase()
  return Object.hasOwn(places, folded) ? places[folded] : undefined
}

/** Ids of the caller's accounts, which are the search containers of their mail. */
export async function ownMailboxes(viewer: Viewer): Promise<Id<'accounts'>[]> {
  const { all, actor } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('accounts')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('removed_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Messages that meet the operators of a query and do not have the excluded words. Spam and trash are excluded, unless
 * the query or the caller specifies a place.
 */
export function filterByQuery(
  reader: Viewer,
  items: Scoped<'emails'>,
  { conditions, excludedWords }: MailQuery,
  isPlaceKnown = conditions.some((condition) => condition.op === 'in' && !condition.not),
): Scoped<'emails'> {
  const s = accessScopeOf(reader)
  let query = isPlaceKnown ? items : items.where('emails.place', 'not in', ['spam', 'trash'])
  for (const condition of conditions) query = filterByCondition(reader, query, condition)
  for (const word of excludedWords)
    if (lowerCaseWords(word).length > 0)
      query = query.where(sql<SqlBool>`emails.id not in ${idsWithWord(s, word)}`)
  return query
}

/** Messages that meet a condition, or do not if it is negated. */
export function filterByCondition(
  viewer: Viewer,
  query: Scoped<'emails'>,
  condition: MailCondition,
): Scoped<'emails'> {
  const expression = conditionOf(accessScopeOf(viewer), condition)
  return expression
    ? query.where(condition.not ? sql<SqlBool>`not ${expression}` : expression)
    : query
}

function conditionOf(
  scope: AccessScope,
  { op, value }: MailCondition,
): Expression<SqlBool> | undefined {
  switch (op) {
    case 'from':
      return sql<SqlBool>`(${contains('emails.from_email', value)} or ${contains("coalesce(emails.from_name, '')", value)})`
    case 'to':
      return hasRecipient(['to', 'cc', 'bcc'], value)
    case 'cc':
      return hasRecipient(['cc'], value)
    case 'subject':
      return sql<SqlBool>`(${sql.join(
        value.split(/\s+/).map((word) => contains('emails.subject', word)),
        sql` and `,
      )})`
    case 'has':
      return sql<SqlBool>`emails.has_attachment = 1`
    case 'is':
      return {
        unread: sql<SqlBool>`emails.unread = 1`,
        read: sql<SqlBool>`emails.unread = 0`,
        starred: sql<SqlBool>`emails.starred = 1`,
        answered: sql<SqlBool>`emails.answered = 1`,
      }[value]
    case 'in':
      return ['anywhere', 'all'].includes(value.toLowerCase()) ? undefined : inFolder(scope, value)
    case 'label':
      return hasLabel(scope, value)
    case 'before':
      return sql<SqlBool>`emails.received_at <= ${parseInstant(value, scope.actor.timezone, 'end', 'query')}`
    case 'after':
      return sql<SqlBool>`emails.received_at >= ${parseInstant(value, scope.actor.timezone, 'start', 'query')}`
    case 'larger':
      return sql<SqlBool>`emails.size_bytes > ${sizeOf(value)!}`
    case 'smaller':
      return sql<SqlBool>`emails.size_bytes < ${sizeOf(value)!}`
  }
}

/** Condition: a message is in a place or folder of that name or path, or has that label. */
export function inFolder(viewer: Viewer, name: string): Expression<SqlBool> {
  const place = placeByName(name)
  if (place) return sql<SqlBool>`emails.place = ${place}`
  const folder = sql`select mail_folders.id from mail_folders where mail_folders.account_id in ${ownAccounts(viewer)} and (lower(mail_folders.path) = ${name.toLowerCase()} or lower(mail_folders.name) = ${name.toLowerCase()})`
  return sql<SqlBool>`(emails.folder_id in (${folder}) or ${hasLabel(viewer, name)})`
}

/** Condition: a message has a label. */
export function hasLabel(reader: Viewer, name: string): Expression<SqlBool> {
  const folded = name.trim().toLowerCase()
  if (folded === 'starred') return sql<SqlBool>`emails.starred = 1`
  if (folded === 'spam') return sql<SqlBool>`emails.place = 'spam'`
  return sql<SqlBool>`emails.id in (select email_labels.email_id from email_labels where email_labels.account_id in ${ownAccounts(reader)} and lower(email_labels.name) = ${folded})`
}

/** A subquery, evaluated once per query rather than per message. */
function ownAccounts(viewer: Viewer) {
  return sql`(select accounts.id from accounts where accounts.owner_id = ${accessScopeOf(viewer).actor.id})`
}

/** Condition: one of these fields contains a part of a name or address. */
export function hasRecipient(
  fields: readonly Row<'email_addresses'>['field'][],
  value: string,
): Expression<SqlBool> {
  const match = sql<SqlBool>`(${contains('email_addresses.address', value)} or ${contains("coalesce(email_addresses.name, '')", value)})`
  return sql<SqlBool>`exists (select 1 from email_addresses where email_addresses.email_id = emails.id and email_addresses.field in (${sql.join(fields)}) and ${match})`
}

function contains(column: string, value: string): Expression<SqlBool> {
  return like(sql`lower(${sql.raw(column)})`, `%${escapeLike(value.toLowerCase())}%`)
}

function idsWithWord({ all }: AccessScope, word: string) {
  const match = matchFor({
    any: lowerCaseWords(word).slice(0, 1),
    phrases: [lowerCaseWords(word).slice(0, 8)],
  })
  return itemsMatching(all, 'email', match)
}
