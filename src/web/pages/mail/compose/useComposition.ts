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
  isReopened: boolean
}

/** The mail being written, if any: only one at a time; earlier ones stay drafts. */
export function useComposition() {
  const [openMail, setOpen] = useState<OpenMail>()
  const ownAddresses = useOwnAddresses()
  const openComposition = (composition: Composition, isReopened = false) =>
    setOpen((previous) => ({ serial: (previous?.serial ?? 0) + 1, composition, isReopened }))
  return {
    openMail,
    /** Opens the mail again after its sending was undone; another conversation may be open by now. */
    reopen: (composition: Composition) => openComposition(composition, true),
    close: () => setOpen(undefined),
    /** Records the draft that the server has saved for the mail being written. */
    markSaved: (draftId: string, start: MailValues) =>
      setOpen(
        (previous) =>
          previous && { ...previous, composition: { ...previous.composition, draftId, start } },
      ),
    write: () => openComposition(newMail()),
    reply: (mail: ThreadMail) => openComposition(replyTo(mail, false, ownAddresses)),
    replyAll: (mail: ThreadMail) => openComposition(replyTo(mail, true, ownAddresses)),
    forward: (mail: ThreadMail) => openComposition(forwardOf(mail)),
    edit: (draft: MailDraft) => openComposition(compositionOf(draft)),
  }
}

export type CompositionControls = ReturnType<typeof useComposition>

function useOwnAddresses(): ReadonlySet<string> {
  const { person } = useSignedIn()
  const { data } = useOperation('list_email_accounts', {}, { staleTime: 300_000 })
  const accounts = data?.items.map(({ address }) => address.toLowerCase()) ?? []
  return new Set([person.email.toLowerCase(), ...accounts])
}
