import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { typedAt } from '../../store/index.ts'
import { mergeTexts } from './text-merge.ts'

interface LiveMergeOptions {
  /** The item of the text, for showing who is editing; undefined: changes by others are merged only on saving. */
  itemId: string | undefined
  field: RefObject<HTMLTextAreaElement | null>
  /** Currently saved text, the base text, and the own text. */
  theirs: string
  base: string
  text: string
  setBase: (base: string) => void
  setText: (text: string) => void
}

/** Merges changes by others during editing, except in the same lines, and shows others that the reader is editing. */
export function useLiveMerge(options: LiveMergeOptions): void {
  const { itemId, field, theirs, base, setBase, text, setText } = options
  const latestText = useRef(text)
  const cursor = useRef<number>(undefined)
  useLayoutEffect(() => {
    latestText.current = text
    if (cursor.current === undefined) return
    field.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = undefined
  })
  useEffect(() => {
    if (itemId === undefined || theirs === base) return
    void mergeTexts(base, text, theirs).then((merged) => {
      if (typeof merged !== 'string' || latestText.current !== text) return // retried after the next edit
      cursor.current = mergedCursor(merged, text, field.current?.selectionStart)
      setBase(theirs)
      setText(merged)
    })
  }, [itemId, theirs, base, setBase, text, setText, field])
  useEffect(() => {
    if (itemId !== undefined && text !== base) typedAt(itemId)
  }, [itemId, text, base])
  useEffect(() => {
    if (itemId !== undefined) return () => typedAt(itemId, true)
  }, [itemId])
}

/** Cursor position after text by others was added before or after it. */
function mergedCursor(merged: string, text: string, cursor = text.length): number {
  return merged.startsWith(text.slice(0, cursor))
    ? cursor
    : Math.max(0, Math.min(merged.length, cursor + merged.length - text.length))
}
