import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import type { ThreadMail } from '../useThread.ts'
import {
  compositionOf,
  forwardOf,
  newMail,
  replyTo,
  type Composition,
  type MailDraft,
  type MailValues,
} from './composition.ts'

interface OpenMail {
  serial: number
  composition: Composition
  isBack: boolean
}

/** The mail being written, if any: only one at a time; earlier ones stay drafts. */
export function useComposition() {
  const [open, setOpen] = useState<OpenMail>()
  const ownAddresses = useOwnAddresses()
  const show = (composition: Composition, isBack = false) =>
    setOpen((before) => ({ serial: (before?.serial ?? 0) + 1, composition, isBack }))
  return {
    open,
    /** Sending was undone; the conversation may be elsewhere by now. */
    reopen: (composition: Composition) => show(composition, true),
    close: () => setOpen(undefined),
    /** The mail being written has a draft on the server. */
    saved: (draftId: string, start: MailValues) =>
      setOpen(
        (before) => before && { ...before, composition: { ...before.composition, draftId, start } },
      ),
    write: () => show(newMail()),
    reply: (mail: ThreadMail) => show(replyTo(mail, false, ownAddresses)),
    replyAll: (mail: ThreadMail) => show(replyTo(mail, true, ownAddresses)),
    forward: (mail: ThreadMail) => show(forwardOf(mail)),
    edit: (draft: MailDraft) => show(compositionOf(draft)),
  }
}

export type MailWriting = ReturnType<typeof useComposition>

function useOwnAddresses(): ReadonlySet<string> {
  const { person } = useSignedIn()
  const { data } = useOperation('list_email_accounts', {}, { staleTime: 300_000 })
  const accounts = data?.items.map(({ address }) => address.toLowerCase()) ?? []
  return new Set([person.email.toLowerCase(), ...accounts])
}
