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
export function TextField({ label, text: now, save, maxLength = 500 }: TextFieldProps) {
  const [text, setText] = useState(now)
  const isGivenUp = useRef(false)
  useEffect(() => setText(now), [now])
  const leave = () => {
    const next = text.trim()
    const isKept = !isGivenUp.current && next !== now
    isGivenUp.current = false
    if (isKept) save(next)
    else setText(now)
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isGivenUp.current = true
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
        onBlur={leave}
        onKeyDown={pressed}
        aria-label={label}
        maxLength={maxLength}
        autoComplete="off"
        dir="auto"
      />
    </PlainField>
  )
}
