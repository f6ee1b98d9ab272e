import { useState } from 'react'
import { t } from '../texts/index.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { commandsWithKeys, useCommands } from './commands.ts'
import type { CommandId } from './keymap.ts'

const KeyList = onDemand(() => import('./KeyList.tsx').then(({ KeyList }) => KeyList))

/** Lists the keys available on the current page, the page's own first. */
export function KeyHelp() {
  // read before the dialog takes the focus: region commands exist only while their region has it
  const [commands, setCommands] = useState<readonly CommandId[]>()
  const close = () => setCommands(undefined)
  useCommands({ 'app.help': () => setCommands(commandsWithKeys()) })
  return (
    <Dialog isOpen={commands !== undefined} close={close} title={t.keys.title} isWide>
      {commands && <KeyList commands={commands} close={close} />}
    </Dialog>
  )
}
