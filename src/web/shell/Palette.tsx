import { useState } from 'react'
import { useCommands } from '../keys/commands.ts'
import { t } from '../texts/index.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { fieldOnDemand } from '../ui/on-demand.tsx'
import styles from './palette.module.css'

const PaletteBox = fieldOnDemand(() =>
  import('./PaletteBox.tsx').then(({ PaletteBox }) => PaletteBox),
)

/** The command menu: runs commands, opens places and finds items by typing. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  useCommands({ 'app.palette': open, 'app.find': open })
  return (
    <Dialog
      isOpen={isOpen}
      close={() => setOpen(false)}
      title={t.app.palette.label}
      hasHeader={false}
      className={styles.palette}
    >
      <PaletteBox close={() => setOpen(false)} />
    </Dialog>
  )
}
