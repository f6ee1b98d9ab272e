import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { noteBounced } from '../outbox/outcomes.ts'

/** Fields of a delivery report (RFC 3464) that state the outcome of a message. */
export interface Report {
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  status?: string
  diagnostic?: string
}

const maxIds = 50
const readUpTo = 512 * 1024

/** Message-IDs that a report holds besides its own: of the message that it tells of, whole or its headers. */
export function reportedIds(source: Uint8Array): string[] {
  const text = Buffer.from(
    source.buffer,
    source.byteOffset,
    Math.min(source.byteLength, readUpTo),
  ).toString('latin1')
  const all = [
    ...text.matchAll(
      /^(?:message-id|x-original-message-id|in-reply-to|references):[ \t]*((?:[^\r\n]|\r?\n[ \t])*)/gim,
    ),
  ].flatMap(([, value]) => value!.match(/<[^<>\s]{1,990}>/g) ?? [])
  return [...new Set(all)].slice(0, maxIds)
}

/**
 * Takes in what a report says of messages that were sent from here. Anyone who may write to someone can write such a report: it counts only
 * for an address that the message went to. Called where a message with reports was read, in the transaction that keeps it.
 */
export async function takeReports(
  system: TickContext,
  report: Pick<Row<'emails'>, 'id' | 'account_id'>,
  reports: readonly Report[],
  ids: readonly string[],
): Promise<void> {
  const failed = reports.filter((item) => item.action === 'failed')
  if (failed.length === 0 || ids.length === 0) return
  const sent = await system.all
    .selectFrom('emails')
    .innerJoin('email_outbox', 'email_outbox.email_id', 'emails.id')
    .selectAll('emails')
    .where('emails.account_id', '=', report.account_id)
    .where('emails.message_id', 'in', ids)
    .where('emails.delivery', 'in', ['sending', 'sent'])
    .where('emails.id', '<>', report.id)
    .execute()
  for (const row of sent) {
    const {
      to = [],
      cc = [],
      bcc = [],
    } = JSON.parse(row.addresses_json) as Record<string, { email: string }[]>
    const addressed = new Set([...to, ...cc, ...bcc].map((item) => item.email.toLowerCase()))
    const ownReports = failed.filter((item) => addressed.has(item.address.toLowerCase()))
    if (ownReports.length > 0)
      await noteBounced(
        system,
        row,
        `It could not be delivered to ${ownReports.map(describeBounce).join('; ')}.`,
      )
  }
}

function describeBounce({ address, status, diagnostic }: Report): string {
  const why = diagnostic ?? status
  return why === undefined
    ? address
    : `${address} (${why
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, 300)})`
}
