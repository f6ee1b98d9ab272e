import type { NoticeKind } from '../../notify/notifications.ts'

export interface NotificationItem {
  text: string
  /** The item's name, prefixed by its key if it has one. */
  item: string
  url: string
  at: number
}

export interface NotificationMail {
  subject: string
  text: string
  html: string
}

const maxListed = 50

/** A mail about one notification. */
export function singleMail(entry: NotificationItem, settingsUrl: string): NotificationMail {
  return { subject: shortLine(entry.text), ...bodies([entry.text], [entry], settingsUrl) }
}

/** A mail about several simultaneous notifications. */
export function combinedMail(
  entries: readonly NotificationItem[],
  settingsUrl: string,
): NotificationMail {
  const subject = `${entries.length} notifications`
  return { subject, ...bodies([`${subject}:`], entries, settingsUrl) }
}

/** A digest: counts by kind, and the newest entries. */
export function digestMail(
  summary: { period: 'daily' | 'weekly'; counts: readonly (readonly [NoticeKind, number])[] },
  entries: readonly NotificationItem[],
  settingsUrl: string,
): NotificationMail {
  const subject = `Your ${summary.period} digest: ${digestText(summary.counts)}`
  return { subject, ...bodies([`${subject}.`], entries, settingsUrl) }
}

const kindNouns: Record<NoticeKind, [one: string, several: string]> = {
  mention: ['mention', 'mentions'],
  assignment: ['assignment', 'assignments'],
  incident: ['incident', 'incidents'],
  invite: ['invitation', 'invitations'],
  share: ['share', 'shares'],
  comment: ['comment', 'comments'],
  due: ['date', 'dates'],
  automation: ['automation', 'automations'],
  reminder: ['reminder', 'reminders'],
  security: ['security notice', 'security notices'],
  digest: ['digest', 'digests'],
}

/** `2 mentions, 1 comment` */
export function digestText(counts: readonly (readonly [NoticeKind, number])[]): string {
  return counts
    .map(([kind, count]) => `${count} ${kindNouns[kind][count === 1 ? 0 : 1]}`)
    .join(', ')
}

function bodies(
  head: readonly string[],
  entries: readonly NotificationItem[],
  settingsUrl: string,
): { text: string; html: string } {
  const listed = entries.slice(0, maxListed)
  const isSingle = entries.length === 1 && head[0] === entries[0]!.text
  const more =
    entries.length > listed.length ? [`… and ${entries.length - listed.length} more.`] : []
  const items = listed.map((notificationItem) =>
    (isSingle
      ? [shortLine(notificationItem.item), notificationItem.url]
      : [
          `- ${shortLine(notificationItem.text)}`,
          `  ${shortLine(notificationItem.item)}`,
          `  ${notificationItem.url}`,
        ]
    ).join('\n'),
  )
  const foot = `Choose which emails you receive and when: ${settingsUrl}`
  return {
    text: `${[...head, ...items, ...more, `-- \n${foot}`].join('\n\n')}\n`,
    html: mailDocument([
      ...head.map((text) => `<p>${escaped(text)}</p>`),
      ...(listed.length > 0
        ? [
            `<ul>${listed.map((notificationItem) => `<li>${isSingle ? '' : `${escaped(notificationItem.text)}<br>`}<a href="${escaped(notificationItem.url)}">${escaped(shortLine(notificationItem.item))}</a></li>`).join('')}</ul>`,
          ]
        : []),
      ...more.map((text) => `<p>${escaped(text)}</p>`),
      `<p><small>Choose which emails you receive, and when, in <a href="${escaped(settingsUrl)}">your settings</a>.</small></p>`,
    ]),
  }
}

function mailDocument(parts: readonly string[]): string {
  return `<!doctype html><html><head><meta charset="utf-8"></head><body>${parts.join('\n')}</body></html>`
}

/** One line, for subjects and lists. */
function shortLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed()
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
