import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { recordBounce } from '../outbox/outcomes.ts'

/** Fields of a delivery report (RFC 3464) that state the outcome of a message. */
export interface Report {
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  status?: string
  diagnostic?: string
}

const maxIds = 50
const maxScannedBytes = 512 * 1024

/** Message-IDs in a report, including that of the reported message. */
export function reportedIds(source: Uint8Array): string[] {
  const text = Buffer.from(
    source.buffer,
    source.byteOffset,
    Math.min(source.byteLength, maxScannedBytes),
  ).toString('latin1')
  const all = [
    ...text.matchAll(
      /^(?:message-id|x-original-message-id|in-reply-to|references):[ \t]*((?:[^\r\n]|\r?\n[ \t])*)/gim,
    ),
  ].flatMap(([, value]) => value!.match(/<[^<>\s]{1,990}>/g) ?? [])
  return [...new Set(all)].slice(0, maxIds)
}

/**
 * Applies a delivery report to messages sent from here. Anyone can forge such a report, so it counts only for an
 * address to which the message was sent. Called in the transaction that stores the report.
 */
export async function applyReports(
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
    const recipients = new Set([...to, ...cc, ...bcc].map((item) => item.email.toLowerCase()))
    const ownReports = failed.filter((item) => recipients.has(item.address.toLowerCase()))
    if (ownReports.length > 0)
      await recordBounce(
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
