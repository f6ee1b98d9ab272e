import { useState } from 'react'
import { t } from '../texts/index.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { onDemand } from '../ui/on-demand.tsx'
import { commandsWithKeys, useCommands } from './commands.ts'
import type { CommandId } from './keymap.ts'

const KeyList = onDemand(() => import('./KeyList.tsx').then(({ KeyList }) => KeyList))

/** Lists the keys that work on the screen as it stands; those of the screen itself come first. */
export function KeyHelp() {
  // read before the dialog takes the focus: a part of the screen has its commands while it has it
  const [commands, setCommands] = useState<readonly CommandId[]>()
  const close = () => setCommands(undefined)
  useCommands({ 'app.help': () => setCommands(commandsWithKeys()) })
  return (
    <Dialog isOpen={commands !== undefined} close={close} title={t.keys.title} isWide>
      {commands && <KeyList of={commands} close={close} />}
    </Dialog>
  )
}
