import { z } from 'zod'
import { DeliveryFailure, sendLetter, type SmtpMessage } from '../../../connectors/smtp/smtp.ts'
import { escapeHtml } from '../../../kernel/text/html.ts'
import { jobKind, type JobContext } from '../../../operations/jobs/job.ts'
import { instanceRelay } from '../../../operations/jobs/mail-relay.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { addLink, invitationJob, invitationUrl } from '../../../identity/invitations.ts'
import { invitationState } from '../../../identity/invitations/states.ts'
import { tokenHash } from '../../../identity/tokens.ts'

/**
 * Mails an invitation. Its link is created on sending, so that none is stored: if sent twice because the process
 * ended in between, both links are valid.
 */
export const mailInvitation = jobKind({
  name: invitationJob,
  about: 'Sends an invitation to its address',
  args: z.strictObject({ invitation_id: z.string() }),
  maxAttempts: 100,
  async run({ invitation_id }, job) {
    const mail = await job.write((system) =>
      beginInvitationMail(system, job, invitation_id as Invitation['id']),
    )
    return { sent: mail !== undefined && (await sendInvitationMail(job, mail)) }
  },
})

type Invitation = Row<'invitations'>

interface InvitationMail {
  row: Invitation
  token: string
  letter: SmtpMessage
}

/** Composes the mail with a new link; undefined if nothing is to be sent any more. */
async function beginInvitationMail(
  system: TickContext,
  job: JobContext,
  id: Invitation['id'],
): Promise<InvitationMail | undefined> {
  const row = await system.all
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (
    !row ||
    row.email === null ||
    row.mail !== 'waiting' ||
    invitationState(row, system.now) !== 'pending' ||
    job.settings.mail_server === ''
  )
    return undefined
  const { name } = await system.all
    .selectFrom('orgs')
    .select('name')
    .where('id', '=', row.org_id)
    .executeTakeFirstOrThrow()
  const { display_name } = await system.all
    .selectFrom('users')
    .select('display_name')
    .where('id', '=', row.created_by)
    .executeTakeFirstOrThrow()
  const token = await addLink(system.all, system.now, row)
  const baseUrl = await system.as(row.created_by, async (ctx) => ctx.baseUrl)
  return {
    row,
    token,
    letter: composeInvitationMail(job, row, {
      organization: name,
      inviter: display_name,
      link: invitationUrl(baseUrl, token),
    }),
  }
}

function composeInvitationMail(
  { settings: { mail_from }, now }: JobContext,
  row: Invitation,
  { organization, inviter, link }: { organization: string; inviter: string; link: string },
): SmtpMessage {
  const subject = `${inviter} invites you to ${organization}`
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200)
    .toWellFormed()
  const expiryText = `The link works once, until ${iso(row.expires_at)}. Do not share it: anyone who has it can join in your place.`
  const noteLines = row.note === null ? [] : [row.note]
  const lines = [`${subject}.`, ...noteLines]
  return {
    from: { name: 'Workspace', address: mail_from },
    to: { name: '', address: row.email! },
    subject,
    text: `${[...lines, `Join here: ${link}`, expiryText].join('\n\n')}\n`,
    html: `<!doctype html><html><head><meta charset="utf-8"></head><body>${lines.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}<p><a href="${escapeHtml(link)}">Join ${escapeHtml(organization)}</a></p><p>${escapeHtml(expiryText)}</p></body></html>`,
    messageId: `<${row.id}.${row.mails}@${mail_from.slice(mail_from.lastIndexOf('@') + 1)}>`,
    date: new Date(now()),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}

/** @throws if no mail can be sent now: the job is retried */
async function sendInvitationMail(
  job: JobContext,
  { row, token, letter }: InvitationMail,
): Promise<boolean> {
  try {
    await sendLetter((await instanceRelay(job))!, letter, job.signal)
  } catch (error) {
    const isUncertain = error instanceof DeliveryFailure && error.isUncertain
    if (!isUncertain)
      await job.record((system) =>
        system.all
          .deleteFrom('invitation_links')
          .where('token_hash', '=', tokenHash(token))
          .execute(),
      ) // the mail was not sent, so the link is unused
    if (!(error instanceof DeliveryFailure)) throw error
    job.signal.throwIfAborted()
    const { isFinal, message } = error
    await updateInvitation(
      job,
      row,
      isFinal ? { mail: 'failed', mail_problem: message } : { mail_problem: message },
    )
    if (!isFinal) throw error
    job.log.warn('the mail server rejected an invitation', { invitation: row.id, why: message })
    return false
  }
  await updateInvitation(job, row, { mail: 'sent', mailed_at: job.now(), mail_problem: null })
  return true
}

/** Records the outcome of sending, even if the job is being stopped. */
async function updateInvitation(
  job: JobContext,
  { id }: Invitation,
  patch: Partial<Invitation>,
): Promise<void> {
  await job.record((system) =>
    system.all.updateTable('invitations').set(patch).where('id', '=', id).execute(),
  )
}
