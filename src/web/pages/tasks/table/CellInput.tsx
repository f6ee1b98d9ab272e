import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { TaskRow } from '../data/rows.ts'
import { stopEditing, type Editing } from './cell.ts'
import type { TableMoves } from './moves.ts'
import styles from './table.module.css'

interface CellInputProps {
  row: TaskRow
  editing: Editing
  label: string
  moves: TableMoves
}

/** A value as it is written in its cell: Enter and Tab keep it and go on, Escape takes it back, leaving it keeps it. */
export function CellInput({ row, editing, label, moves }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(editing.text)
  const isDone = useRef(false)
  useEffect(() => {
    const node = input.current
    node?.focus({ preventScroll: true })
    node?.setSelectionRange(node.value.length, node.value.length)
  }, [])
  const end = (isKept: boolean) => {
    if (isDone.current) return
    isDone.current = true
    stopEditing()
    if (isKept) moves.write({ row, column: editing.column, text })
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
