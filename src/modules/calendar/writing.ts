import type { WriteContext } from '../../core/context.ts'
import type { Row } from '../../core/resource.ts'
import { ownAddresses } from './access.ts'
import { index } from './access-occurrences.ts'
import { noteDeletion } from './access-pushes.ts'
import { columnsOfObject, type EventColumns, type Reader } from './event-columns.ts'
import { objectOf, write, type Component } from './ical.ts'

/** What the texts of a calendar are read by. */
export async function readerOf(ctx: WriteContext, of: Row<'calendars'>): Promise<Reader> {
  return { zone: of.timezone, own: await ownAddresses(ctx), now: ctx.now }
}

/** What is decided about an event beside its text. */
export type Beside = Partial<Pick<Row<'events'>, 'trust' | 'invites_pending'>>

/** Puts a new object into a calendar; one of a server goes there by itself, soon. `later`: of many, each series is indexed by itself, soon; `columns`: read already. */
export async function addObject(ctx: WriteContext, of: Row<'calendars'>, root: Component, beside: Beside = {}, { later = false, columns }: { later?: boolean; columns?: EventColumns } = {}): Promise<Row<'events'>> {
  const reader = await readerOf(ctx, of)
  const object = objectOf(root)
  const remote = of.remote_url === null ? { remote_href: null, synced_revision: null } : { remote_href: hrefOf(of.remote_url, object.uid), synced_revision: 0 }
  const values = { trust: 'internal', invites_pending: 0, ...beside, ...(columns ?? columnsOfObject(object, write(root), reader)), ...remote } as const
  const row = await ctx.add('events', { calendar_id: of.id, owner_id: of.owner_id, ...values, expanded_revision: later ? 0 : null })
  if (later && row.is_series === 1) return row // ticks.ts makes the index of what says another revision
  await index(ctx, row, of.timezone, reader.own)
  return row
}

/** Changes an event to what its tree says now. */
export async function changeObject(ctx: WriteContext, of: Row<'calendars'>, row: Row<'events'>, root: Component, beside: Beside = {}): Promise<Row<'events'>> {
  const remindAfter = row.remind_at !== null && row.remind_at <= ctx.now ? row.remind_at - 1 : undefined
  const reader = { ...(await readerOf(ctx, of)), remindAfter }
  const { uid: _, ...columns } = columnsOfObject(objectOf(root), write(root), reader)
  const changed = await ctx.change('events', row, { ...columns, push_problem: null, ...beside })
  await index(ctx, changed, of.timezone, reader.own)
  return changed
}

/** Takes an event away: of the built-in calendar into the trash, of a server's at once, here and soon there. */
export async function removeObject(ctx: WriteContext, of: Row<'calendars'>, row: Row<'events'>): Promise<{ erased: boolean }> {
  if (of.remote_url === null) {
    await ctx.trash('events', row)
    return { erased: false }
  }
  await noteDeletion(ctx, row)
  await ctx.remove('events', row)
  return { erased: true }
}

/** Where a server will have an object: a name of our own making, so that a push which was broken off is recognised. */
export function hrefOf(remoteUrl: string, uid: string): string {
  return `${remoteUrl.replace(/\/?$/, '/')}${encodeURIComponent(uid.replace(/[^\w.@-]/g, '-').slice(0, 150))}.ics`
}
