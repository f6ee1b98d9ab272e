import { useState, type DragEvent } from 'react'

interface OwnDrag {
  /** True if items dragged within the page can be dropped here. */
  isTaken: () => boolean
  drop: () => void
}

/**
 * Props that let an element accept dropped files; `data-over` while some are dragged over it. With `own`, it also
 * accepts drags
 * within the page, and the element around it receives neither.
 */
export function useFileDrop(take: (files: readonly File[]) => void, ownDrag?: OwnDrag) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files') && !ownDrag?.isTaken()) return
      event.preventDefault()
      if (ownDrag) event.stopPropagation()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      const files = [...event.dataTransfer.files]
      setOver(false)
      if (files.length === 0 && !ownDrag?.isTaken()) return
      event.preventDefault()
      if (ownDrag) event.stopPropagation()
      if (files.length > 0) take(files)
      else ownDrag?.drop()
    },
  }
}
