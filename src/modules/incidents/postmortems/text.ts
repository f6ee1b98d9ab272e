import { truncate } from '../../../kernel/text/truncate.ts'
import { blocks, factList, oneLine, section } from '../../../kernel/text/markdown.ts'
import type { Row } from '../../../records/resource.ts'
import { localIso } from '../../../kernel/time/times.ts'

/** Facts that a postmortem is built from. People appear by name. */
export interface PostmortemFacts {
  incident: Row<'incidents'>
  services: readonly string[]
  roles: Readonly<Record<'lead' | 'communications' | 'scribe', string | undefined>>
  author: string
  due: string | undefined
  timezone: string
  timeline: readonly { at: number; person: string | undefined; text: string }[]
  /** Public status updates, oldest first. */
  updates: readonly { at: number; title: string; state: string }[]
  /** Follow-up tasks by key and address only: readers of the page may not have access to all. */
  tasks: readonly { key: string; url: string }[]
}

const maxEntryLength = 400
const maxValueLength = 90_000

/** Values that a template may use in {{ }}, and that the default page is built from. */
export function postmortemValues(postmortemFacts: PostmortemFacts): Record<string, string> {
  const { incident: row, timezone } = postmortemFacts
  const localTime = (time: number | null) =>
    time === null ? '' : localIso(time, timezone).slice(0, 16).replace('T', ' ')
  const values = {
    incident: row.key,
    incident_title: row.title,
    severity: row.severity,
    status: row.status,
    services: postmortemFacts.services.join(', '),
    lead: postmortemFacts.roles.lead ?? '',
    communications: postmortemFacts.roles.communications ?? '',
    scribe: postmortemFacts.roles.scribe ?? '',
    author: postmortemFacts.author,
    due_on: postmortemFacts.due ?? '',
    detected_at: localTime(row.detected_at),
    opened_at: localTime(row.opened_at),
    acknowledged_at: localTime(row.acknowledged_at),
    mitigated_at: localTime(row.mitigated_at),
    resolved_at: localTime(row.resolved_at),
    time_to_acknowledge: durationText(row.detected_at, row.acknowledged_at),
    time_to_mitigate: durationText(row.detected_at, row.mitigated_at),
    time_to_resolve: durationText(row.detected_at, row.resolved_at),
    timezone,
    summary: row.summary_markdown ?? '',
    impact: row.customer_impact ?? '',
    cause: row.cause ?? '',
    resolution: row.resolution ?? '',
    timeline: bulletList(
      postmortemFacts.timeline.map(
        ({ at: time, person, text }) =>
          `${localTime(time)}${person === undefined ? '' : ` ${oneLine(person)}`}: ${excerpt(text)}`,
      ),
    ),
    status_updates: bulletList(
      postmortemFacts.updates.map(
        ({ at: time, title, state }) => `${localTime(time)} ${state}: ${excerpt(title)}`,
      ),
    ),
    follow_up_tasks: bulletList(postmortemFacts.tasks.map(({ key, url }) => `[${key}](${url})`)),
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.slice(0, maxValueLength).toWellFormed(),
    ]),
  )
}

function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function excerpt(text: string): string {
  return truncate(oneLine(text), maxEntryLength + 1)
}

/** Formats a duration as `1 d 2 h 5 min`. */
function durationText(from: number, to: number | null): string {
  if (to === null) return ''
  const minutes = Math.max(0, Math.round((to - from) / 60_000))
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || '0 min'
  )
}

/** The default postmortem text without a template; missing parts are left to its author. */
export function defaultText(values: Readonly<Record<string, string>>): string {
  const {
    incident,
    incident_title,
    severity,
    services,
    lead,
    communications,
    scribe,
    author,
    due_on,
    timezone,
  } = values
  const about = factList({
    Incident: `${incident} ${incident_title}`,
    Severity: severity,
    Services: services,
    Lead: lead,
    Communications: communications,
    Scribe: scribe,
    Author: author,
    Due: due_on,
    [`Detected (${timezone})`]: values.detected_at,
    Declared: values.opened_at,
    Acknowledged: withDuration(values.acknowledged_at, values.time_to_acknowledge),
    Mitigated: withDuration(values.mitigated_at, values.time_to_mitigate),
    Resolved: withDuration(values.resolved_at, values.time_to_resolve),
  })
  const part = (title: string, text: string | undefined) =>
    `## ${title}${text ? `\n\n${text}` : ''}`
  return blocks(
    about,
    part('Summary', values.summary),
    part('Impact', values.impact),
    part('Cause', values.cause),
    part('Resolution', values.resolution),
    part('Timeline', values.timeline),
    section('Public status updates', values.status_updates),
    '## What went well',
    '## What went wrong',
    part('Follow-up tasks', values.follow_up_tasks),
  )
}

function withDuration(at: string | undefined, length: string | undefined): string {
  return at ? `${at} (after ${length})` : ''
}
