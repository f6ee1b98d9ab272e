import { newId, type Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { dayLength } from '../../../kernel/time/times.ts'
import type { Method } from '../ical/itip.ts'
import { reachableStatuses } from '../../accounts/access.ts'

// Outgoing mails about events: internal rows, like jobs, that are not recorded as changes.

export type LetterRow = Row<'event_letters'>

/** Content of a mail. */
export interface LetterContent {
  subject: string
  text: string
  html: string
  ics: string
  to: { name: string; address: string }
  /** Sender; if the instance's server sends the letter, also the reply address. */
  from: { name: string; address: string }
}

export interface NewLetter {
  event: Pick<Row<'events'>, 'id'>
  account: Pick<Row<'accounts'>, 'id'> | null
  method: Method
  content: LetterContent
}

/** Queues mails of the caller; inside a writer job. */
export async function addLetters(viewer: Viewer, letters: readonly NewLetter[]): Promise<void> {
  const { all, actor, now } = accessScopeOf(viewer)
  for (const { event, account, method, content } of letters) {
    await all
      .insertInto('event_letters')
      .values({
        id: newId<'event_letters'>('evl', now),
        org_id: actor.org_id,
        owner_id: actor.id,
        event_id: event.id,
        account_id: account?.id ?? null,
        recipient: content.to.address,
        method,
        letter_json: JSON.stringify(content),
        state: 'queued',
        attempts: 0,
        problem: null,
        created_at: now,
        finished_at: null,
      })
      .execute()
  }
}

/** A person's queued mails, with their accounts. */
export async function queuedLetters(
  { all }: TickContext,
  owner: string,
  limit: number,
): Promise<{ letter: LetterRow; account: Row<'accounts'> | undefined }[]> {
  const letters = await all
    .selectFrom('event_letters')
    .selectAll()
    .where('owner_id', '=', owner as Id<'users'>)
    .where('state', '=', 'queued')
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = letters.flatMap((letter) => letter.account_id ?? [])
  const accounts =
    ids.length === 0
      ? []
      : await all.selectFrom('accounts').selectAll().where('id', 'in', ids).execute()
  return letters.map((letter) => ({
    letter,
    account: accounts.find((account) => account.id === letter.account_id),
  }))
}

export async function changeLetter(
  { all }: TickContext,
  id: LetterRow['id'],
  patch: Partial<LetterRow>,
): Promise<void> {
  await all.updateTable('event_letters').set(patch).where('id', '=', id).execute()
}

/** People with sendable mails: not those whose account waits for a sign-in. */
export async function peopleWithLetters(
  { all }: Pick<TickContext, 'all'>,
  limit: number,
): Promise<Id<'users'>[]> {
  const rows = await all
    .selectFrom('event_letters')
    .leftJoin('accounts', 'accounts.id', 'event_letters.account_id')
    .innerJoin('users', 'users.id', 'event_letters.owner_id')
    .select('event_letters.owner_id')
    .distinct()
    .where('event_letters.state', '=', 'queued')
    .where('users.status', '=', 'active')
    .where((eb) =>
      eb.or([eb('accounts.id', 'is', null), eb('accounts.status', 'in', reachableStatuses)]),
    )
    .limit(limit)
    .execute()
  return rows.map((row) => row.owner_id)
}

/** Deletes letters that were finished long ago. */
export async function deleteOldLetters({ all, now }: TickContext): Promise<void> {
  await all
    .deleteFrom('event_letters')
    .where('finished_at', '<', now - 90 * dayLength)
    .execute()
}
