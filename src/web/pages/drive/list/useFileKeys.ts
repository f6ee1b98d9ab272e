import { useMemo, type KeyboardEvent, type RefObject } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useVirtualKeys } from '../../../ui/work/virtual/virtual-keys.ts'
import type { DriveFile } from '../data.ts'

interface FileKeys {
  items: readonly DriveFile[]
  columns: number
  list: RefObject<HTMLElement | null>
  /** Called with the current file. */
  setStop: (id: string) => void
  /** Scrolls a file into view. */
  bring: (index: number) => void
}

/** `j` and `k` move from file to file, arrows also from line to line, including files that are not rendered yet. */
export function useFileKeys({ items, columns, list, setStop, bring }: FileKeys) {
  const ids = useMemo(() => items.map(({ id }) => id), [items])
  const elementOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-file="${id}"]`)
  const { stopAt, move } = useVirtualKeys({ ids, elementOf, setTabStop: setStop, scrollTo: bring })
  useCommands({
    'list.next': (event) => move(event?.key === 'ArrowDown' ? columns : 1),
    'list.previous': (event) => move(event?.key === 'ArrowUp' ? -columns : -1),
  })
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (step === undefined || !isPlain) return
    event.preventDefault()
    move(step)
  }
  return { stopAt, pressed: handleKeyDown }
}
