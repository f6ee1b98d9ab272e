import { oneLine } from '../../../kernel/text/markdown.ts'
import { iso } from '../../../kernel/time/times.ts'
import { escapeHtml } from '../../../kernel/text/html.ts'
import type { PublicUpdate, ServiceState } from './access.ts'
import {
  historyDays,
  overallOf,
  type CalendarDay,
  type ServiceDay,
  type ServiceHistory,
} from './days.ts'

/** A public service with its history. */
interface ServiceContent {
  name: string
  description: string | null
  state: ServiceState
  history: ServiceHistory
}

/** An update with its text as sanitized HTML. */
export type RenderedUpdate = PublicUpdate & {
  html: string
  phase_now: 'planned' | 'running' | 'resolved' | undefined
}

/** Contents of a status page. */
export interface StatusPageContent {
  organization: string
  timezone: string
  now: number
  path: string
  days: readonly CalendarDay[]
  services: readonly ServiceContent[]
  /** Threads of updates, each newest first. */
  open: readonly RenderedUpdate[][]
  planned: readonly RenderedUpdate[][]
  past: readonly RenderedUpdate[][]
}

const stateNames: Record<ServiceState, string> = {
  operational: 'Operational',
  degraded: 'Degraded performance',
  partial_outage: 'Partial outage',
  major_outage: 'Major outage',
  maintenance: 'Under maintenance',
}

const overallNames: Record<ServiceState, string> = {
  operational: 'All services are operational',
  degraded: 'Some services are degraded',
  partial_outage: 'There is a partial outage',
  major_outage: 'There is a major outage',
  maintenance: 'Maintenance is in progress',
}

const phaseNames = {
  planned: 'Planned maintenance',
  running: 'Maintenance in progress',
  resolved: 'Maintenance completed',
} as const
const updateNames = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} as const

/** Describes an update in a word or two. */
export function updateLabel({
  state,
  phase_now,
}: Pick<RenderedUpdate, 'state' | 'phase_now'>): string {
  return state === 'maintenance' ? phaseNames[phase_now ?? 'planned'] : updateNames[state]
}

export const statusStyles = `:root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif;--ok:light-dark(#15803d,#4ade80);--degraded:light-dark(#a16207,#facc15);--partial:light-dark(#c2410c,#fb923c);--major:light-dark(#b91c1c,#f87171);--work:light-dark(#1d4ed8,#93c5fd);--soft:light-dark(#595959,#b3b3b3);--line:light-dark(#d4d4d4,#525252)}
body{margin:0;background:light-dark(#fff,#171717);color:light-dark(#171717,#f5f5f5)}header,main,footer{max-width:48rem;margin:0 auto;padding:0 1rem;overflow-wrap:anywhere}header{margin-top:2.5rem}h1{font-size:1.8rem;line-height:1.25;margin:0}h2{font-size:1.3rem;margin:2.5rem 0 .75rem}h3{font-size:1.1rem;margin:0}h4,h5,h6{font-size:1rem;margin:1rem 0 .25rem}
a{color:light-dark(#1d4ed8,#93c5fd)}:focus-visible{outline:3px solid #60a5fa;outline-offset:2px}.overall{font-size:1.15rem;font-weight:600;border:1px solid var(--line);border-left:.5rem solid currentColor;border-radius:.3rem;padding:.75rem 1rem}
.operational,.resolved{color:var(--ok)}.degraded,.monitoring{color:var(--degraded)}.partial_outage,.identified{color:var(--partial)}.major_outage,.investigating{color:var(--major)}.maintenance{color:var(--work)}
.services,.threads,.updates{list-style:none;margin:0;padding:0}.services>li,.threads>li{border:1px solid var(--line);border-radius:.3rem;padding:1rem;margin:0 0 1rem}.updates>li{margin-top:1rem;border-top:1px solid var(--line);padding-top:1rem}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 1rem}.top p,.when,.about,.uptime{margin:0}.state,.word{font-weight:600}.when,.about,.uptime,footer,details{color:var(--soft);font-size:.9rem}svg{display:block;width:100%;height:2.25rem;margin:.5rem 0}rect{fill:var(--ok)}rect.none{fill:var(--line)}rect.degraded{fill:var(--degraded)}rect.partial_outage{fill:var(--partial)}rect.major_outage{fill:var(--major)}rect.maintenance{fill:var(--work)}
pre,code{font-family:ui-monospace,monospace;font-size:.92em}pre{white-space:pre-wrap;padding:.75rem;border:1px solid var(--line);border-radius:.3rem}table{border-collapse:collapse}th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left}blockquote{margin:1rem 0;padding-left:1rem;border-left:.25rem solid var(--line)}img{max-width:100%;height:auto}.task-list-item{list-style:none}.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}footer{margin:3rem auto 2rem}
`

/** An organization's status page: every color also has a text, and no script is needed. */
export function statusDocument(page: StatusPageContent, isListed: boolean): string {
  const overall = overallOf(page.services.map((service) => service.state))
  const headline =
    overall === 'operational' && page.open.some(isIncident)
      ? 'There is an open incident'
      : overallNames[overall]
  const name = `${oneLine(page.organization)} status`
  const parts = [
    section('open', 'Ongoing incidents and maintenance', threads(page, page.open)),
    section('planned', 'Planned maintenance', threads(page, page.planned)),
    section(
      'services',
      'Services',
      page.services.length === 0
        ? ''
        : `<ul class="services">\n${page.services.map((service) => serviceItem(page, service)).join('\n')}\n</ul>`,
    ),
    section(
      'past',
      'The last 14 days',
      threads(page, page.past) || '<p>No incidents or maintenance.</p>',
    ),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${isListed ? '' : '<meta name="robots" content="noindex, nofollow">\n'}<title>${escapeHtml(`${name}: ${headline}`)}</title>
<link rel="alternate" type="application/atom+xml" title="${escapeHtml(name)} (Atom)" href="${page.path}/feed.atom">
<link rel="alternate" type="application/rss+xml" title="${escapeHtml(name)} (RSS)" href="${page.path}/feed.rss">
<style>${statusStyles}</style>
</head>
<body>
<header>
<h1>${escapeHtml(name)}</h1>
<p class="overall ${overall === 'operational' && headline !== overallNames.operational ? 'investigating' : overall}">${headline}</p>
</header>
<main>
${parts.filter((part) => part !== '').join('\n')}
</main>
<footer>
<p>As of ${formatMoment(page, page.now)}. Times are in ${escapeHtml(page.timezone)}. Uptime counts major outages fully and partial outages at 30%.</p>
<p>Feeds: <a href="${page.path}/feed.atom">Atom</a>, <a href="${page.path}/feed.rss">RSS</a></p>
</footer>
</body>
</html>
`
}

function isIncident([latest]: readonly RenderedUpdate[]): boolean {
  return latest!.state !== 'maintenance'
}

function section(id: string, title: string, body: string): string {
  return body === ''
    ? ''
    : `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${body}\n</section>`
}

function threads(page: StatusPageContent, all: readonly RenderedUpdate[][]): string {
  if (all.length === 0) return ''
  const items = all.map(
    (updates) =>
      `<li>\n<h3>${escapeHtml(oneLine(updates[0]!.title))}</h3>\n<ol class="updates" reversed>\n${updates.map((update) => updateItem(page, update)).join('\n')}\n</ol>\n</li>`,
  )
  return `<ul class="threads">\n${items.join('\n')}\n</ul>`
}

function updateItem(page: StatusPageContent, update: RenderedUpdate): string {
  const { starts_at, ends_at } = update
  const times =
    starts_at === null || ends_at === null
      ? ''
      : `<p class="when">From ${formatMoment(page, starts_at)} to ${formatMoment(page, ends_at)}</p>\n`
  return `<li id="${update.id}">\n<div class="top"><p class="word ${update.state}">${updateLabel(update)}</p><p class="when">${formatMoment(page, update.published_at)}</p></div>\n${times}${update.html}\n</li>`
}

function serviceItem(
  page: StatusPageContent,
  { name, description, state, history }: ServiceContent,
): string {
  const title = escapeHtml(oneLine(name))
  const about =
    description === null || description.trim() === ''
      ? ''
      : `<p class="about">${escapeHtml(oneLine(description))}</p>\n`
  return `<li>
<div class="top"><h3>${title}</h3><p class="state ${state}">${stateNames[state]}</p></div>
${about}${bars(page, name, history)}
<p class="uptime">${formatPercent(history.uptime)} uptime over ${history.days.length >= historyDays ? `the last ${historyDays} days` : `${history.days.length} ${history.days.length === 1 ? 'day' : 'days'}`}</p>
${problemDaysList(title, history)}</li>`
}

/** One bar per day; its height repeats the meaning of its color. */
const heights: Record<ServiceState, number> = {
  operational: 36,
  maintenance: 30,
  degraded: 24,
  partial_outage: 16,
  major_outage: 8,
}

function bars(page: StatusPageContent, name: string, { days, uptime }: ServiceHistory): string {
  const daysByDate = new Map(days.map((day) => [day.date, day]))
  const problemDayCount = days.filter((day) => day.state !== 'operational').length
  const label = `${oneLine(name)}: ${formatPercent(uptime)} uptime; ${problemDayCount === 0 ? 'every day operational' : `${problemDayCount} ${problemDayCount === 1 ? 'day' : 'days'} with outages or maintenance`}`
  const rects = page.days.map(({ date }, i) => {
    const day = daysByDate.get(date)
    const height = day ? heights[day.state] : 36
    return `<rect class="${day?.state ?? 'none'}" x="${i * 5}" y="${36 - height}" width="4" height="${height}"><title>${formatDate(date)}: ${day ? dayText(day) : 'no data'}</title></rect>`
  })
  return `<svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${page.days.length * 5 - 1} 36" preserveAspectRatio="none">${rects.join('')}</svg>`
}

/** A text version of the days with problems. */
function problemDaysList(title: string, { days }: ServiceHistory): string {
  const troubledDays = days.filter((day) => day.state !== 'operational').reverse()
  if (troubledDays.length === 0) return ''
  const items = troubledDays.map(
    (day) =>
      `<li><time datetime="${day.date}">${formatDate(day.date)}</time>: ${dayText(day)}</li>`,
  )
  return `<details><summary>Days with outages or maintenance: ${title}</summary><ul>${items.join('')}</ul></details>\n`
}

function dayText({ state, outage_minutes, uptime }: ServiceDay): string {
  const durationText =
    outage_minutes === 0 ? '' : `, ${outage_minutes} ${outage_minutes === 1 ? 'minute' : 'minutes'}`
  return `${stateNames[state]}${durationText}${uptime === 100 ? '' : ` (${formatPercent(uptime)} uptime)`}`
}

/** Rounded down, so that 100 % appears only without downtime. */
function formatPercent(percent: number): string {
  return `${percent === 100 ? '100' : (Math.floor(percent * 100) / 100).toFixed(2)} %`
}

let dateFormat: Intl.DateTimeFormat | undefined // created on first use, since loading its tables would delay every start
const momentFormats = new Map<string, Intl.DateTimeFormat>()

function formatDate(date: string): string {
  dateFormat ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  return dateFormat.format(new Date(`${date}T00:00:00Z`))
}

function formatMoment({ timezone }: Pick<StatusPageContent, 'timezone'>, at: number): string {
  const format =
    momentFormats.get(timezone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    })
  momentFormats.set(timezone, format)
  return `<time datetime="${iso(at)}">${escapeHtml(format.format(at))}</time>`
}
