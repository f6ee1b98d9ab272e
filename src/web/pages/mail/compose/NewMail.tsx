import { Dialog } from '../../../ui/Dialog.tsx'
import { mailTexts as t } from '../texts.ts'
import { Composer } from './Composer.tsx'
import type { CompositionControls } from './useComposition.ts'

interface NewMailProps {
  writing: CompositionControls
  /** The open conversation, which shows its own drafts. */
  shownId: string | undefined
  /** True outside the mail screen: without conversations, everything is written in the dialog. */
  isAnywhere?: boolean
}

/** A mail that does not belong to the open conversation. */
export function NewMail({
  writing: { open, close, reopen, markSaved },
  shownId,
  isAnywhere = false,
}: NewMailProps) {
  if (!open) return null
  const { threadId } = open.composition
  if (!isAnywhere && threadId !== undefined && (threadId === shownId || !open.isReopened))
    return null
  return (
    <Dialog isOpen isWide close={close} title={t.mailbox.compose.kinds[open.composition.kind]}>
      <Composer
        key={open.serial}
        composition={open.composition}
        close={close}
        reopen={reopen}
        saved={markSaved}
      />
    </Dialog>
  )
}
