import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import styles from './fields.module.css'
import { PlainField } from './fields.tsx'
import { t } from '../../texts/index.ts'

interface TextFieldProps {
  label: string
  text: string
  save: (text: string) => void
  maxLength?: number
}

/** A short text field of an item: Enter or blur saves, Escape reverts. */
export function TextField({ label, text: savedText, save, maxLength = 500 }: TextFieldProps) {
  const [text, setText] = useState(savedText)
  const isCancelled = useRef(false)
  useEffect(() => setText(savedText), [savedText])
  const onBlur = () => {
    const trimmed = text.trim()
    const shouldSave = !isCancelled.current && trimmed !== savedText
    isCancelled.current = false
    if (shouldSave) save(trimmed)
    else setText(savedText)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isCancelled.current = true
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.blur()
  }
  return (
    <PlainField label={label}>
      <input
        className={styles.input}
        value={text}
        placeholder={t.tasks.none}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
        aria-label={label}
        maxLength={maxLength}
        autoComplete="off"
        dir="auto"
      />
    </PlainField>
  )
}
