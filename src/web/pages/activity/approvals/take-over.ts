// A mail that waits for approval becomes a draft of the approver: they edit and send it, and the key is informed.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callByName, post, type Input, type Output } from '../../../api/client.ts'
import { endpointKey } from '../../../api/queries.ts'
import {
  addressText,
  compositionOf,
  forwardOf,
  type MailDraft,
} from '../../mail/compose/composition.ts'
import { hasDraft, storeDraft } from '../../../ui/work/kept-drafts.ts'
import { activityTexts as t } from '../texts.ts'
import type { Approval } from './approvals.ts'
import { setTakenOverMail } from './taken.ts'

/** A mail in its final form. */
export type OutgoingMail = Output<'send_email'>

const mailTools: ReadonlySet<string> = new Set([
  'send_email',
  'reply_to_email',
  'send_email_draft',
  'forward_email',
])

export const canTakeOver = ({ tool }: Approval) => mailTools.has(tool)

/** Turns the mail of a waiting call into a draft, denies the call with an explanation, and opens the draft. */
export function useTakeOver() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (approval: Approval) => {
      if (approval.tool === 'forward_email') return takeOverForward(approval)
      const draft = await createApprovalDraft(approval)
      try {
        await post('/web/approvals/:id/deny', {
          id: approval.id,
          reason: t.activity.approvals.takenOver(draft.id),
        })
      } catch (error) {
        if (approval.tool !== 'send_email_draft')
          await call('delete_email_draft', { draft_id: draft.id })
        throw error
      }
      setTakenOverMail(compositionOf(draft))
    },
    onSettled: () => client.invalidateQueries({ queryKey: endpointKey('/web/approvals') }),
  })
}

/** The server composes forwarded mail when it is sent: until then, this browser stores the written text. */
async function takeOverForward(approval: Approval): Promise<void> {
  const { email_id, note_markdown, include_attachments } =
    approval.arguments as Input<'forward_email'>
  const [preview, email] = await Promise.all([
    callByName<OutgoingMail>(approval.tool, { ...approval.arguments, dry_run: true }),
    call('get_email', { email_id }),
  ])
  const forward = forwardOf(email)
  if (hasDraft(`mail ${forward.name}`)) throw new Error(t.activity.approvals.forwardBegun)
  const start = {
    ...forward.start,
    to: preview.to.map(addressText),
    cc: preview.cc.map(addressText),
    body: note_markdown ?? '',
    ...(include_attachments === false && { leavesOutFiles: true }),
  }
  await post('/web/approvals/:id/deny', {
    id: approval.id,
    reason: t.activity.approvals.takenOverForward,
  })
  storeDraft(`mail ${forward.name}`, JSON.stringify(start))
  setTakenOverMail({ ...forward, start })
}

async function createApprovalDraft(approval: Approval): Promise<MailDraft> {
  if (approval.tool === 'send_email_draft') return findDraft(String(approval.arguments.draft_id))
  const { email_id, quote, reply_all, add_cc: _, ...draftFields } = approval.arguments
  const preview = await callByName<OutgoingMail>(approval.tool, {
    ...approval.arguments,
    dry_run: true,
  })
  const addressTexts = (addresses: OutgoingMail['to'] | undefined) =>
    (addresses ?? []).map(addressText)
  return call('create_email_draft', {
    ...draftFields,
    ...(email_id === undefined ? {} : { reply_to_email_id: email_id, quote, reply_all }),
    to: addressTexts(preview.to),
    cc: addressTexts(preview.cc),
    bcc: addressTexts(preview.bcc),
    idempotency_key: `take over ${approval.id}`,
  } as Input<'create_email_draft'>)
}

async function findDraft(id: string): Promise<MailDraft> {
  let cursor: string | undefined
  do {
    const page = await call('list_email_drafts', {
      limit: 100,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const draft = page.items.find((item) => item.id === id)
    if (draft) return draft
    cursor = page.next_cursor
  } while (cursor !== undefined)
  throw new Error(t.activity.approvals.draftGone)
}
