import { useEffect } from 'react'
import { EmojiPicker } from './EmojiPicker.tsx'
import { MakeTask } from './MakeTask.tsx'
import { open, useOpen } from '../list/open.ts'

/** Open popup at a message: the emoji picker, or the task form. */
export function MessagePopups() {
  const thing = useOpen()
  useEffect(() => () => open(undefined), [])
  const close = () => open(undefined)
  if (thing?.kind === 'react')
    return <EmojiPicker message={thing.message} anchor={thing.anchor} close={close} />
  if (thing?.kind === 'task') return <MakeTask message={thing.message} close={close} />
  return null
}
