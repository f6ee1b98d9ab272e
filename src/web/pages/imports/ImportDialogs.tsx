import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { importTexts } from '../../texts/en/imports/imports.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ImportChannels } from './channels/ImportChannels.tsx'
import { ImportContacts } from './contacts/ImportContacts.tsx'
import { closeImport, useImportWork } from './open.ts'
import { ImportPages } from './pages/ImportPages.tsx'
import { ImportTasks } from './tasks/ImportTasks.tsx'

/** Import dialogs for files of other programs, available on every page. */
export function ImportDialogs() {
  const work = useImportWork()
  useCloseOnLeaving()
  if (work === undefined) return null
  return (
    <Dialog isOpen close={closeImport} title={importTexts.titles[work.kind]} isWide>
      {work.kind === 'tasks' && <ImportTasks project={work.project} />}
      {work.kind === 'pages' && <ImportPages parent={work.parent} />}
      {work.kind === 'channels' && <ImportChannels />}
      {work.kind === 'contacts' && <ImportContacts />}
    </Dialog>
  )
}

/** Closes the dialog when a link in it is followed. */
function useCloseOnLeaving(): void {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) closeImport()
    before.current = pathname
  }, [pathname])
}
