import type { Actor } from '../kernel/actor.ts'
import { resourceOf, type ItemTable, type Row } from '../records/resource.ts'
import { accessScope, type AccessScope } from '../records/access-scope.ts'
import {
  houseKinds,
  noticeKinds,
  recipientsAmong,
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

  /** Number of pending notices, used to roll back later ones. */
  get mark(): number {
    return this.#pending.length
  }

  rollBackTo(mark: number): void {
    this.#pending.length = mark
  }

  /** Writes the collected notifications. `by` is not notified of their own actions, except by the system. */
  async flush(scope: AccessScope, by: Actor): Promise<void> {
    const pending = this.#pending
    this.#pending = []
    if (pending.length === 0) return
    const people = await recipientsAmong(
      scope.all,
      by.org_id,
      pending.flatMap((notice) => notice.people),
    )
    for (const { kind, table, row, text, person } of strongest(pending, by)) {
      const to = people.get(person)
      if (!to || !(await sees(scope, to, table, row.id))) continue
      const item = { type: resourceOf(table).definition.type, id: row.id }
      await writeNotification(scope.all, scope.now, to, {
        kind,
        item,
        actor: isHouse(kind, by) ? null : by.id,
        text,
      })
    }
  }
}

type PersonalNotice = Notice & { person: string }

/** True if the system caused it, not a person, even if it runs on behalf of one. */
function isHouse(kind: NoticeKind, by: Actor): boolean {
  return by.via === 'automation' || by.via === 'sync' || houseKinds.includes(kind)
}

function strongest(notices: readonly Notice[], by: Actor): PersonalNotice[] {
  const noticesByKey = new Map<string, PersonalNotice>()
  for (const notice of notices) {
    for (const person of new Set(notice.people)) {
      if (person === by.id && !isHouse(notice.kind, by)) continue
      const key = `${person} ${notice.row.id}`
      const there = noticesByKey.get(key)
      if (!there || noticeKinds.indexOf(notice.kind) < noticeKinds.indexOf(there.kind))
        noticesByKey.set(key, { ...notice, person })
    }
  }
  return [...noticesByKey.values()]
}

async function sees(
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

/** Notifies people of an item; the part of a context for it. */
export type Notify = <T extends ItemTable>(
  kind: NoticeKind,
  people: readonly string[],
  table: T,
  row: Row<T>,
  text: string,
) => void
