import { useEffect } from 'react'
import { EmojiPicker } from './EmojiPicker.tsx'
import { CreateTaskDialog } from './MakeTask.tsx'
import { setOpenPopup, useOpenPopup } from '../list/open.ts'

/** Open popup at a message: the emoji picker, or the task form. */
export function MessagePopups() {
  const popup = useOpenPopup()
  useEffect(() => () => setOpenPopup(undefined), [])
  const close = () => setOpenPopup(undefined)
  if (popup?.kind === 'react')
    return <EmojiPicker message={popup.message} anchor={popup.anchor} close={close} />
  if (popup?.kind === 'task') return <CreateTaskDialog message={popup.message} close={close} />
  return null
}
