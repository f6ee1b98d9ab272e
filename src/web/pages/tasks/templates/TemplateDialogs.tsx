import { templates as words } from '../../../texts/en/tasks/templates.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { closeTemplates, useTemplateWork } from './open.ts'
import { SaveTemplate } from './SaveTemplate.tsx'
import { UseTemplate } from './UseTemplate.tsx'

/** Template dialogs, available on every page. */
export function TemplateDialogs() {
  const work = useTemplateWork()
  if (work === undefined) return null
  return (
    <Dialog
      isOpen
      close={closeTemplates}
      title={work.kind === 'use' ? words.use : words.save(work.task.key)}
    >
      {work.kind === 'use' ? (
        <UseTemplate project={work.project} template={work.template} />
      ) : (
        <SaveTemplate task={work.task} />
      )}
    </Dialog>
  )
}
