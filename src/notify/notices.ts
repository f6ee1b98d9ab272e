import type { Actor } from '../kernel/actor.ts'
import { resourceOf, type ItemTable, type Row } from '../records/resource.ts'
import { accessScope, type AccessScope } from '../records/access-scope.ts'
import {
  systemKinds,
  noticeKinds,
  activeRecipients,
  writeNotification,
  type NoticeKind,
  type Recipient,
} from './notifications.ts'

interface Notice {
  kind: NoticeKind
  people: readonly string[]
  table: ItemTable
  row: { id: string }
  text: string
}

/**
 * Notices produced by one call. They are written at the end of its transaction, to people who may see the item then.
 */
export class Notices {
  #pending: Notice[] = []

  add(notice: Notice): void {
    if (notice.people.length > 0) this.#pending.push(notice)
  }

  /** Number of pending notices, to which `rollBackTo` can return. */
  get mark(): number {
    return this.#pending.length
  }

  rollBackTo(mark: number): void {
    this.#pending.length = mark
  }

  /** Writes the collected notifications. The caller is notified only of what the system does. */
  async flush(scope: AccessScope, caller: Actor): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    if (pending.length === 0) return
    const people = await activeRecipients(
      scope.all,
      caller.org_id,
      pending.flatMap((notice) => notice.people),
    )
    for (const { kind, table, row, text, person } of significantPerItem(pending, caller)) {
      const recipient = people.get(person)
      if (!recipient || !(await canSee(scope, recipient, table, row.id))) continue
      const item = { type: resourceOf(table).definition.type, id: row.id }
      await writeNotification(scope.all, scope.now, recipient, {
        kind,
        item,
        actor: isFromSystem(kind, caller) ? null : caller.id,
        text,
      })
    }
  }
}

type PersonalNotice = Notice & { person: string }

/** Whether the system caused it rather than a person, even on behalf of one. */
function isFromSystem(kind: NoticeKind, by: Actor): boolean {
  return by.via === 'automation' || by.via === 'sync' || systemKinds.includes(kind)
}

function significantPerItem(notices: readonly Notice[], by: Actor): PersonalNotice[] {
  const noticesByKey = new Map<string, PersonalNotice>()
  for (const notice of notices) {
    for (const person of new Set(notice.people)) {
      if (person === by.id && !isFromSystem(notice.kind, by)) continue
      const key = `${person} ${notice.row.id}`
      const existing = noticesByKey.get(key)
      if (!existing || noticeKinds.indexOf(notice.kind) < noticeKinds.indexOf(existing.kind))
        noticesByKey.set(key, { ...notice, person })
    }
  }
  return [...noticesByKey.values()]
}

async function canSee(
  { all, now }: AccessScope,
  { id: personId, org_id, email, display_name, role, timezone }: Recipient,
  table: ItemTable,
  id: string,
): Promise<boolean> {
  const actor: Actor = {
    id: personId,
    org_id,
    email,
    display_name,
    role,
    timezone,
    via: 'automation',
    key: undefined,
  }
  const rows = await resourceOf(table).among(accessScope({ all, actor, now }), [id])
  return rows.has(id)
}

/** The function of a call's context that notifies people of an item. */
export type Notify = <T extends ItemTable>(
  kind: NoticeKind,
  people: readonly string[],
  table: T,
  row: Row<T>,
  text: string,
) => void
