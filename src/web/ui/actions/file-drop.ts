import { useState, type DragEvent } from 'react'

interface InternalDrag {
  /** True if items dragged within the page can be dropped here. */
  isAccepted: () => boolean
  drop: () => void
}

/**
 * Props that let an element accept dropped files; `data-over` while some are dragged over it. With `internalDrag`,
 * it also accepts drags within the page, and the surrounding element receives neither.
 */
export function useFileDrop(
  onFiles: (files: readonly File[]) => void,
  internalDrag?: InternalDrag,
) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files') && !internalDrag?.isAccepted()) return
      event.preventDefault()
      if (internalDrag) event.stopPropagation()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      const files = [...event.dataTransfer.files]
      setOver(false)
      if (files.length === 0 && !internalDrag?.isAccepted()) return
      event.preventDefault()
      if (internalDrag) event.stopPropagation()
      if (files.length > 0) onFiles(files)
      else internalDrag?.drop()
    },
  }
}
