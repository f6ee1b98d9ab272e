import { call, type Output } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { notify, randomId } from '../../../store/index.ts'
import { notifyProblem } from '../../../ui/confirm.tsx'
import { describeMoment } from '../../inbox/moments.ts'
import type { MailDraft } from '../compose/composition.ts'
import { mailTexts as t } from '../texts.ts'

export type ScheduledMail = Output<'list_scheduled_emails'>['items'][number]
const words = t.handling.outbox

/** Id of the notice about scheduled mail: a new one replaces the previous one. */
const noticeId = 'mail later'

const refetchOutbox = () => invalidateOperations('list_scheduled_emails', 'list_email_drafts')

/** Schedules a draft, and offers to undo that; `reopen` then receives the draft. */
export async function scheduleDraft(
  draftId: string,
  { subject, at, isReplyEnd = false }: { subject: string; at: Date; isReplyEnd?: boolean },
  reopen: (draft: MailDraft) => void,
): Promise<void> {
  const { id } = await call('schedule_email', {
    draft_id: draftId,
    send_at: at.toISOString(),
    idempotency_key: randomId(),
    ...(isReplyEnd ? { cancel_if_replied: true } : {}),
  })
  await refetchOutbox()
  notify({
    id: noticeId,
    text: words.set(subject, describeMoment(at)),
    seconds: 8,
    actions: [
      {
        label: t.app.sync.undo,
        run: () => void cancelSending(id).then(reopen).catch(notifyProblem),
      },
    ],
  })
}

/** Cancels sending a mail: it becomes a draft again. */
export async function cancelSending(scheduledId: string): Promise<MailDraft> {
  const draft = await call('cancel_scheduled_email', { scheduled_id: scheduledId })
  await refetchOutbox()
  return draft
}

/** Reschedules a mail. If the server refuses, the original time stays. */
export async function reschedule(
  { id, draft, send_at, cancel_if_replied }: ScheduledMail,
  at: Date,
  reopen: (draft: MailDraft) => void,
): Promise<void> {
  const mail = { subject: draft.subject || t.mailbox.noSubject, isReplyEnd: cancel_if_replied }
  await cancelSending(id)
  try {
    await scheduleDraft(draft.id, { ...mail, at }, reopen)
  } catch (error) {
    await scheduleDraft(draft.id, { ...mail, at: new Date(send_at) }, reopen)
    throw error
  }
}

/** Cancels sending a mail, and offers to undo that. */
export async function unschedule(
  { id, draft, send_at, cancel_if_replied }: ScheduledMail,
  reopen: (draft: MailDraft) => void,
): Promise<void> {
  const subject = draft.subject || t.mailbox.noSubject
  await cancelSending(id)
  const original = { subject, at: new Date(send_at), isReplyEnd: cancel_if_replied }
  notify({
    id: noticeId,
    text: words.cancelled(subject),
    seconds: 8,
    actions: [
      {
        label: t.app.sync.undo,
        run: () => void scheduleDraft(draft.id, original, reopen).catch(notifyProblem),
      },
    ],
  })
}
