import { Dialog } from '../../../ui/Dialog.tsx'
import { mailTexts as t } from '../texts.ts'
import { Composer } from './Composer.tsx'
import type { CompositionControls } from './useComposition.ts'

interface NewMailProps {
  controls: CompositionControls
  /** The open conversation, which shows its own drafts. */
  shownId: string | undefined
  /** True outside the mail screen: without conversations, everything is written in the dialog. */
  isStandalone?: boolean
}

/** A mail that does not belong to the open conversation. */
export function NewMail({
  controls: { openMail, close, reopen, markSaved },
  shownId,
  isStandalone = false,
}: NewMailProps) {
  if (!openMail) return null
  const { threadId } = openMail.composition
  if (!isStandalone && threadId !== undefined && (threadId === shownId || !openMail.isReopened))
    return null
  return (
    <Dialog isOpen isWide close={close} title={t.mailbox.compose.kinds[openMail.composition.kind]}>
      <Composer
        key={openMail.serial}
        composition={openMail.composition}
        close={close}
        reopen={reopen}
        saved={markSaved}
      />
    </Dialog>
  )
}
