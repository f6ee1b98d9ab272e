import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { OpenLook, OpenPage, OpenPlace } from '../../../operations/public-pages.ts'
import { dayAt, dayLength } from '../../../kernel/time/times.ts'
import { htmlOf } from '../../pages/shapes.ts'
import {
  hasPublishedAnything,
  newestPublicUpdates,
  organizations,
  outagesOf,
  publicServices,
  publicThreads,
  type PublicUpdate,
} from './access.ts'
import { statusPaths } from './addresses.ts'
import { statusCalendar, historyOf, type CalendarDay } from './days.ts'
import { atomOf, rssOf } from './feeds.ts'
import { statusDocument, statusStyles, type RenderedUpdate } from './html.ts'
import { isThreadOpen, phaseOf } from './threads.ts'

const pastDays = 14
const maxFeedEntries = 50
/** Short cache time for browsers and proxies: visitors look when something is wrong. */
const cache = 'public, max-age=30'

/** Status pages of organizations with public content, and their feeds. */
export const statusRoutes: readonly OpenPlace[] = ['/status', '/status/:organization'].flatMap(
  (path) => [
    {
      path: `${path}/feed.atom`,
      read: (look) => feed(look, 'application/atom+xml; charset=utf-8', atomOf),
    },
    {
      path: `${path}/feed.rss`,
      read: (look) => feed(look, 'application/rss+xml; charset=utf-8', rssOf),
    },
    { path, read: (look) => statusPage(look) },
  ],
)

type PublicOrganization = Awaited<ReturnType<typeof organizations>>[number] & { path: string }

/** The organization at an address. One without public services and updates has no page, which would reveal its name. */
async function organizationAt({ all, params }: OpenLook): Promise<PublicOrganization | undefined> {
  const orgs = await organizations(all)
  const path = params.organization === undefined ? '/status' : `/status/${params.organization}`
  const [id] = [...statusPaths(orgs)].find(([, candidate]) => candidate === path) ?? []
  const organization = orgs.find((org) => org.id === id)
  return organization && (await hasPublishedAnything(all, organization.id))
    ? { ...organization, path }
    : undefined
}

async function statusPage(look: OpenLook): Promise<OpenPage | undefined> {
  const organization = await organizationAt(look)
  if (!organization) return undefined
  const { all, now, settings } = look
  const days = calendarOf(now, organization.default_timezone)
  const rows = await publicServices(all, organization.id)
  const outagesByService = Map.groupBy(
    await outagesOf(
      all,
      rows.map((row) => row.id),
      days,
      now,
    ),
    (outage) => outage.service_id,
  )
  const services = rows.map(({ id, name, description, state, created_at }) => ({
    name,
    description,
    state,
    history: historyOf(days, outagesByService.get(id) ?? [], created_at, now),
  }))
  const threads = await Promise.all(
    (await publicThreads(all, organization.id, now, now - pastDays * dayLength)).map((thread) =>
      Promise.all(thread.map((publicUpdate) => presentPublicUpdate(publicUpdate, now))),
    ),
  )
  const open = threads.filter(([latest]) => isThreadOpen(latest!, now))
  const planned = open
    .filter(([latest]) => latest!.phase_now === 'planned')
    .sort(([a], [b]) => a!.starts_at! - b!.starts_at!)
  const isListed = settings.index_published
  const nowInMinutes = now - (now % 60_000) // so that the same page has the same ETag for a while
  const content = {
    organization: organization.name,
    timezone: organization.default_timezone,
    now: nowInMinutes,
    path: organization.path,
    days,
    services,
  }
  const html = statusDocument(
    {
      ...content,
      open: open.filter((item) => !planned.includes(item)),
      planned,
      past: threads.filter((thread) => !open.includes(thread)),
    },
    isListed,
  )
  return { html, styles: statusStyles, isListed, cache }
}

async function feed(
  look: OpenLook,
  type: string,
  format: typeof atomOf,
): Promise<OpenPage | undefined> {
  const organization = await organizationAt(look)
  if (!organization) return undefined
  const updates = await Promise.all(
    (await newestPublicUpdates(look.all, organization.id, maxFeedEntries)).map((update) =>
      presentPublicUpdate(update, look.now),
    ),
  )
  const html = format({
    organization: organization.name,
    url: look.baseUrl + organization.path,
    updates,
    since: organization.created_at,
  })
  return { html, styles: '', type, isListed: look.settings.index_published, cache }
}

/** HTML of recently shown texts. Updates never change, so repeated views need no parsing. */
const recentHtml = new BoundedMap<string, Promise<string>>(500)

async function presentPublicUpdate(update: PublicUpdate, now: number): Promise<RenderedUpdate> {
  const html = recentHtml.useOrAdd(update.id, () =>
    htmlOf(update.body_markdown, `${update.id}-`, 3),
  )
  html.catch(() => recentHtml.delete(update.id))
  return { ...update, html: await html, phase_now: phaseOf(update, now) }
}

/** Recently shown days of a zone: unchanged until midnight. */
const calendars = new Map<string, CalendarDay[]>()

function calendarOf(now: number, zone: string): CalendarDay[] {
  const key = `${dayAt(now, zone)} ${zone}`
  const days = calendars.get(key) ?? statusCalendar(now, zone)
  if (calendars.size > 100) calendars.clear()
  calendars.set(key, days)
  return days
}
