import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { CellMoves } from './moves.ts'
import styles from './table.module.css'

interface CellInputProps {
  /** Initial text. */
  text: string
  label: string
  moves: Pick<CellMoves<string>, 'down' | 'along' | 'refocus'>
  /** Ends editing; with the text if it should be kept. */
  end: (text: string | undefined) => void
}

/** Edits a value in its cell: Enter and Tab save and move on, Escape reverts, blur saves. */
export function CellInput({ text: first, label, moves, end: ended }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(first)
  const isDone = useRef(false)
  useEffect(() => {
    const node = input.current
    node?.focus({ preventScroll: true })
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [])
  const end = (isKept: boolean) => {
    if (isDone.current) return
    isDone.current = true
    ended(isKept ? text : undefined)
  }
  const latest = useRef(end)
  useEffect(() => {
    latest.current = end
  })
  useEffect(() => {
    const node = input.current
    return () => {
      if (!node?.isConnected) latest.current(true) // scrolled not visible, it is kept as well
    }
  }, [])
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !['Enter', 'Tab', 'Escape'].includes(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    end(event.key !== 'Escape')
    if (event.key === 'Enter') moves.down(event.shiftKey ? -1 : 1)
    else if (event.key === 'Tab') moves.along(event.shiftKey ? -1 : 1)
    else moves.refocus()
  }
  return (
    <input
      ref={input}
      className={styles.input}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={pressed}
      onBlur={() => end(true)}
      aria-label={label}
      maxLength={5000}
      autoComplete="off"
      dir="auto"
    />
  )
}
