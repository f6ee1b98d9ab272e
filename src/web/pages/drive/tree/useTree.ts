import { useMediaQuery } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useStoredChoice } from '../../../session/kept-choice.ts'

export type ShownTree = ReturnType<typeof useTree>

/**
 * Whether the folder tree is shown, and how to enter and leave it. Stored per person in this browser; on small
 * screens it is shown on request.
 */
export function useTree() {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [visibility, setVisibility] = useStoredChoice('drive-tree', ['shown', 'hidden'])
  const [isOpened, setOpened] = useState(false)
  const isShown = isNarrow ? isOpened : visibility === 'shown'
  const ref = useRef<HTMLElement>(null)
  const content = useRef<HTMLElement>(null)
  const isEntering = useRef(false)
  const show = (isVisible: boolean) =>
    isNarrow ? setOpened(isVisible) : setVisibility(isVisible ? 'shown' : 'hidden')
  const enter = () => {
    const stop = ref.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')
    if (stop) isEntering.current = false
    stop?.focus()
  }
  const leave = () => {
    const file = content.current?.querySelector<HTMLElement>('[data-row]')
    const target = file ?? content.current?.querySelector<HTMLElement>('button')
    target?.focus()
  }
  const drawn = () => {
    if (isEntering.current) enter()
  }
  useCommands({
    'file.tree': () => {
      if (ref.current?.contains(document.activeElement)) {
        leave()
        show(false)
      } else if (isShown) enter()
      else {
        isEntering.current = true
        show(true)
      }
    },
  })
  return { isShown, ref, content, drawn, leave, toggle: () => show(!isShown) }
}
