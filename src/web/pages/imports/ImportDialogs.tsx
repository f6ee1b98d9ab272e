import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { importTexts } from '../../texts/en/imports/imports.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ImportChannels } from './channels/ImportChannels.tsx'
import { ImportContacts } from './contacts/ImportContacts.tsx'
import { closeImport, useOpenImport } from './open.ts'
import { ImportPages } from './pages/ImportPages.tsx'
import { ImportTasks } from './tasks/ImportTasks.tsx'

/** Import dialogs for files of other programs, available on every page. */
export function ImportDialogs() {
  const target = useOpenImport()
  useCloseOnLeaving()
  if (target === undefined) return null
  return (
    <Dialog isOpen close={closeImport} title={importTexts.titles[target.kind]} isWide>
      {target.kind === 'tasks' && <ImportTasks project={target.project} />}
      {target.kind === 'pages' && <ImportPages parent={target.parent} />}
      {target.kind === 'channels' && <ImportChannels />}
      {target.kind === 'contacts' && <ImportContacts />}
    </Dialog>
  )
}

/** Closes the dialog when a link in it is followed. */
function useCloseOnLeaving(): void {
  const { pathname } = useLocation()
  const previousPathname = useRef(pathname)
  useEffect(() => {
    if (previousPathname.current !== pathname) closeImport()
    previousPathname.current = pathname
  }, [pathname])
}
