import { useState } from 'react'
import { t } from '../texts/index.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { useCommands } from './commands.ts'

const KeyList = onDemand(() => import('./KeyList.tsx').then(({ KeyList }) => KeyList))

/** Lists the keys that work on the screen as it stands; those of the screen itself come first. */
export function KeyHelp() {
  const [isOpen, setOpen] = useState(false)
  useCommands({ 'app.help': () => setOpen(true) })
  return (
    <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.keys.title} isWide>
      <KeyList />
    </Dialog>
  )
}
