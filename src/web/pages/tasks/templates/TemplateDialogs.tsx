import { templates as texts } from '../../../texts/en/tasks/templates.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { closeTemplateDialog, useTemplateDialog } from './open.ts'
import { SaveTemplate } from './SaveTemplate.tsx'
import { UseTemplate } from './UseTemplate.tsx'

/** Template dialogs, available on every page. */
export function TemplateDialogs() {
  const dialog = useTemplateDialog()
  if (dialog === undefined) return null
  return (
    <Dialog
      isOpen
      close={closeTemplateDialog}
      title={dialog.kind === 'use' ? texts.use : texts.save(dialog.task.key)}
    >
      {dialog.kind === 'use' ? (
        <UseTemplate projectRef={dialog.project} templateId={dialog.template} />
      ) : (
        <SaveTemplate task={dialog.task} />
      )}
    </Dialog>
  )
}
