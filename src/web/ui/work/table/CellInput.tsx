import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { CellMoves } from './moves.ts'
import styles from './table.module.css'

interface CellInputProps {
  /** Initial text. */
  text: string
  label: string
  moves: Pick<CellMoves<string>, 'moveDown' | 'moveToNext' | 'refocus'>
  /** Ends editing; with the text if it should be saved. */
  onEnd: (text: string | undefined) => void
}

/** Edits a value in its cell: Enter and Tab save and move on, Escape reverts, blur saves. */
export function CellInput({ text: initialText, label, moves, onEnd: notifyEnd }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initialText)
  const hasEnded = useRef(false)
  useEffect(() => {
    const node = input.current
    node?.focus({ preventScroll: true })
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [])
  const finish = (isSaved: boolean) => {
    if (hasEnded.current) return
    hasEnded.current = true
    notifyEnd(isSaved ? text : undefined)
  }
  const latest = useRef(finish)
  useEffect(() => {
    latest.current = finish
  })
  useEffect(() => {
    const node = input.current
    return () => {
      if (!node?.isConnected) latest.current(true) // scrolled out of view: saves the text, too
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !['Enter', 'Tab', 'Escape'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    finish(event.key !== 'Escape')
    if (event.key === 'Enter') moves.moveDown(event.shiftKey ? -1 : 1)
    else if (event.key === 'Tab') moves.moveToNext(event.shiftKey ? -1 : 1)
    else moves.refocus()
  }
  return (
    <input
      ref={input}
      className={styles.input}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => finish(true)}
      aria-label={label}
      maxLength={5000}
      autoComplete="off"
      dir="auto"
    />
  )
}
