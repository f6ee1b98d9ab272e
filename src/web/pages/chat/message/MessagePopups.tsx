import { useEffect } from 'react'
import { EmojiPicker } from './EmojiPicker.tsx'
import { MakeTask } from './MakeTask.tsx'
import { open, useOpen } from '../list/open.ts'

/** What is open at a message: the choice of an emoji, or the form of a task. */
export function MessagePopups() {
  const thing = useOpen()
  useEffect(() => () => open(undefined), [])
  const close = () => open(undefined)
  if (thing?.kind === 'react')
    return <EmojiPicker message={thing.message} anchor={thing.anchor} close={close} />
  if (thing?.kind === 'task') return <MakeTask message={thing.message} close={close} />
  return null
}
