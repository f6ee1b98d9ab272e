// Sent mail that can still be undone: the server delays it for a few seconds.

import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import {
  askBeforeLeaving,
  dismissNotice,
  notify,
  addUndoHandler,
  randomId,
} from '../../../store/index.ts'
import { scheduleDraft } from '../outbox/schedule.ts'
import { mailTexts as t } from '../texts.ts'
import { compositionOf, type Composition } from './composition.ts'
import { undoTime } from './undo-time.ts'

interface UndoableSend {
  id: string
  subject: string
  /** Until when sending can be undone, in milliseconds. */
  until: number
  undo: () => Promise<void>
}

let lastOutgoing: UndoableSend | undefined

/** Undoes sending of the last mail, if still possible. Returns whether there was one. */
function undoLastSend(): boolean {
  if (!lastOutgoing || lastOutgoing.until <= Date.now()) return false
  const { id, undo } = lastOutgoing
  lastOutgoing = undefined
  dismissNotice(id)
  void undo()
  return true
}

addUndoHandler(undoLastSend)

function offerSendUndo(outgoing: UndoableSend): void {
  lastOutgoing = outgoing
  notify({
    id: outgoing.id,
    text: t.mailbox.compose.said.sending(outgoing.subject),
    until: outgoing.until,
    seconds: Math.max(0, Math.ceil((outgoing.until - Date.now()) / 1000)),
    actions: [
      {
        label: t.app.sync.undo,
        run: () => {
          if (lastOutgoing === outgoing) lastOutgoing = undefined
          void outgoing.undo()
        },
      },
    ],
  })
}

/**
 * Submits a draft to be sent a few seconds later, and offers to undo that: then it is a draft again, passed to
 * `reopen`.
 * @throws ApiError if the server refuses
 */
async function sendDraft(
  draftId: string,
  subject: string,
  reopen: (composition: Composition) => void,
): Promise<void> {
  const seconds = undoTime.get()
  const { utc } = await call('get_current_time', {}) // the server's clock decides
  const sentAt = Date.now()
  const { id } = await call('schedule_email', {
    draft_id: draftId,
    send_at: new Date(Date.parse(utc) + seconds * 1000).toISOString(),
    idempotency_key: randomId(),
  })
  offerSendUndo({
    id: `send ${id}`,
    subject,
    until: sentAt + seconds * 1000,
    undo: async () => {
      try {
        reopen(compositionOf(await call('cancel_scheduled_email', { scheduled_id: id })))
      } catch (error) {
        notifyError(subject, error)
      }
    },
  })
}

/** Submits a draft, to be sent now or at a moment. */
export async function sendOut(
  draftId: string,
  { subject, at }: { subject: string; at: Date | undefined },
  reopen: (composition: Composition) => void,
): Promise<void> {
  if (at) await scheduleDraft(draftId, { subject, at }, (draft) => reopen(compositionOf(draft)))
  else await sendDraft(draftId, subject, reopen)
}

const notifyError = (text: string, error: unknown) =>
  notify({ text, problem: errorMessage(error), seconds: 0, actions: [] })

/** The server composes forwarded mail when it is sent: this page holds it until then, and asks before being left. */
export function forwardLater(
  forward: Composition,
  reopen: (composition: Composition) => void,
): void {
  const { start, emailId = '' } = forward
  const seconds = undoTime.get()
  const until = Date.now() + seconds * 1000
  const stopAsking = askBeforeLeaving(() => true)
  const timer = setTimeout(async () => {
    try {
      await call('forward_email', {
        email_id: emailId,
        to: start.to,
        idempotency_key: randomId(),
        ...(start.cc.length > 0 ? { cc: start.cc } : {}),
        ...(start.leavesOutFiles ? { include_attachments: false } : {}),
        ...(start.body.trim() === '' ? {} : { note_markdown: start.body }),
      })
    } catch (error) {
      notifyError(start.subject, error)
      reopen(forward)
    } finally {
      stopAsking()
    }
  }, seconds * 1000)
  offerSendUndo({
    id: `forward ${emailId}`,
    subject: start.subject,
    until,
    undo: async () => {
      clearTimeout(timer)
      stopAsking()
      reopen(forward)
    },
  })
}
