import { useEffect } from 'react'
import { EmojiPicker } from './EmojiPicker.tsx'
import { MakeTask } from './MakeTask.tsx'
import { setOpenPopup, useOpen } from '../list/open.ts'

/** Open popup at a message: the emoji picker, or the task form. */
export function MessagePopups() {
  const thing = useOpen()
  useEffect(() => () => setOpenPopup(undefined), [])
  const close = () => setOpenPopup(undefined)
  if (thing?.kind === 'react')
    return <EmojiPicker message={thing.message} anchor={thing.anchor} close={close} />
  if (thing?.kind === 'task') return <MakeTask message={thing.message} close={close} />
  return null
}
