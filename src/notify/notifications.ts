import type { Kysely } from 'kysely'
import { truncate } from '../kernel/text/truncate.ts'
import type { Tables } from '../db/tables.ts'
import { newId, type Id } from '../kernel/ids.ts'

// The rows of notifications. Has few dependencies, so that keys and limits can notify people, too.

/**
 * Kinds of notifications, the most significant first: of several for one item in one call, the first in this order is
 * kept.
 */
export const noticeKinds = [
  'mention',
  'assignment',
  'incident',
  'invite',
  'share',
  'comment',
  'due',
  'automation',
  'reminder',
  'security',
  'digest',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Kinds that the system sends by itself: the person who caused one is notified like everyone else. */
export const systemKinds: readonly NoticeKind[] = [
  'due',
  'automation',
  'reminder',
  'security',
  'digest',
]

/** Channels over which a person is notified of a kind of event. */
export interface NotificationChannels {
  app: boolean
  email: boolean
}

/** The default: everything in the app, and by mail if action is required. */
export const defaultChannels: Readonly<Record<NoticeKind, NotificationChannels>> = {
  mention: { app: true, email: true },
  assignment: { app: true, email: true },
  incident: { app: true, email: true },
  invite: { app: true, email: true },
  share: { app: true, email: true },
  comment: { app: true, email: false },
  due: { app: true, email: false },
  automation: { app: true, email: true },
  reminder: { app: true, email: true },
  security: { app: true, email: true },
  digest: { app: true, email: true },
}

/** A person's channels for a kind, from inboxes.events_json; null: the default applies. */
export function channelPreferences(
  eventsJson: string | null,
  kind: NoticeKind,
): NotificationChannels {
  const overrides =
    eventsJson === null
      ? undefined
      : (JSON.parse(eventsJson) as Partial<Record<NoticeKind, Partial<NotificationChannels>>>)[kind]
  return { ...defaultChannels[kind], ...overrides }
}

/** Kinds that are sent even for a muted item: a person addresses the recipient, or the recipient requested it. */
const unmutableKinds: readonly NoticeKind[] = [
  'mention',
  'assignment',
  'incident',
  'reminder',
  'security',
]

export function mutedItems(mutedJson: string | null): string[] {
  return mutedJson === null ? [] : (JSON.parse(mutedJson) as string[])
}

type Db = Kysely<Tables>

/** An active person, with their notification settings. */
export interface Recipient {
  id: Id<'users'>
  org_id: Id<'orgs'>
  email: string
  display_name: string
  role: 'admin' | 'member' | 'guest'
  timezone: string
  /** null: no notifications and no settings yet. */
  inbox_id: Id<'inboxes'> | null
  events_json: string | null
  read_before: number | null
  muted_json: string | null
}

/** Filters people to those active in an organization, by id. */
export async function activeRecipients(
  db: Db,
  org: Id<'orgs'>,
  ids: readonly string[],
): Promise<Map<string, Recipient>> {
  const rows = await recipients(db, org)
    .where('users.id', 'in', [...new Set(ids)] as Id<'users'>[])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function recipients(db: Db, org: Id<'orgs'>) {
  return db
    .selectFrom('users')
    .leftJoin('inboxes', 'inboxes.person_id', 'users.id')
    .select([
      'users.id',
      'users.org_id',
      'users.email',
      'users.display_name',
      'users.role',
      'users.timezone',
      'inboxes.id as inbox_id',
      'inboxes.events_json',
      'inboxes.read_before',
      'inboxes.muted_json',
    ])
    .where('users.org_id', '=', org)
    .where('users.status', '=', 'active')
}

/** One notification for a person. */
export interface NewNotification {
  kind: NoticeKind
  item: { type: string; id: string }
  /** Person who did it; null: the system. */
  actor: Id<'users'> | null
  /** One plain sentence. */
  text: string
  /** Its mail, if any, is sent by other code. */
  isMailedSeparately?: true
}

const maxTextLength = 500

/** Writes a notification by the person's preferences, inside a job of the writer. The caller checks that they can see the item. */
export async function writeNotification(
  db: Db,
  now: number,
  recipient: Recipient,
  { kind, item, actor, text, isMailedSeparately }: NewNotification,
): Promise<void> {
  if (!unmutableKinds.includes(kind) && mutedItems(recipient.muted_json).includes(item.id)) return
  const { app, email: emailWanted } = channelPreferences(recipient.events_json, kind)
  const email = emailWanted && !isMailedSeparately
  if (!app && !email) return
  await db
    .insertInto('notifications')
    .values({
      id: newId('ntf', now),
      org_id: recipient.org_id,
      person_id: recipient.id,
      inbox_id: recipient.inbox_id ?? (await createInbox(db, now, recipient)),
      kind,
      item_type: item.type,
      item_id: item.id,
      actor_id: actor,
      text: truncate(text, maxTextLength),
      shown_at: Math.max(now, (recipient.read_before ?? 0) + 1), // later than the last "mark all as read", so that it is shown as unread
      read_at: null,
      in_app: app ? 1 : 0,
      mail: email ? 'new' : null,
      mail_at: null,
      mail_id: null,
      revision: 1,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Writes a person's default notification settings, inside a job of the writer, unless they have settings. */
export async function createInbox(
  db: Db,
  now: number,
  person: { id: Id<'users'>; org_id: Id<'orgs'>; inbox_id?: Id<'inboxes'> | null },
): Promise<Id<'inboxes'>> {
  const id = newId<'inboxes'>('ibx', now)
  const defaults = {
    events_json: '{}',
    quiet_from: null,
    quiet_to: null,
    quiet_timezone: null,
    quiet_except_incidents: 1,
    digest: 'off',
    read_before: 0,
    muted_json: null,
    revision: 1,
  } as const
  await db
    .insertInto('inboxes')
    .values({
      id,
      org_id: person.org_id,
      person_id: person.id,
      ...defaults,
      created_at: now,
      updated_at: now,
    })
    .execute()
  person.inbox_id = id // remembered for further notifications to the same person
  return id
}

/**
 * Notifies active people of an organization of something that they can see, for events outside of calls. Inside a job
 * of the writer.
 */
export async function notifyPeople(
  db: Db,
  now: number,
  org: Id<'orgs'>,
  people: readonly string[],
  notification: NewNotification,
): Promise<void> {
  for (const to of (await activeRecipients(db, org, people)).values())
    await writeNotification(db, now, to, notification)
}

/** Notifies the organization's administrators, except those named, of something about the organization. */
export async function notifyAdmins(
  db: Db,
  now: number,
  org: Id<'orgs'>,
  text: string,
  exceptIds: readonly string[] = [],
): Promise<void> {
  const admins = await recipients(db, org).where('users.role', '=', 'admin').execute()
  for (const to of admins)
    if (!exceptIds.includes(to.id))
      await writeNotification(db, now, to, {
        kind: 'security',
        item: { type: 'organization', id: org },
        actor: null,
        text,
      })
}
