import { useState, type FormEvent } from 'react'
import planning from '../../planning/planning.module.css'
import { isoOfLocal } from '../moments.ts'

interface ReasonFormProps {
  label: string
  action: string
  /** Also asks for a time. */
  timeLabel?: string
  /** True if it may be empty. */
  isOptional?: boolean
  submit: (text: string, timestamp: string | undefined) => void
  close: () => void
}

/** Asks for the text required by a change; Ctrl Enter sends it. */
export function ReasonForm(props: ReasonFormProps) {
  const { label, action, timeLabel, isOptional = false, submit, close } = props
  const [text, setText] = useState('')
  const [localTime, setLocalTime] = useState('')
  const isMissing = text.trim() === '' && !isOptional
  const handleSubmit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isMissing) return
    submit(text.trim(), isoOfLocal(localTime))
    close()
  }
  return (
    <form className={planning.form} onSubmit={handleSubmit}>
      <label>
        {label}
        <textarea
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) handleSubmit(event)
          }}
          rows={4}
          required={!isOptional}
          maxLength={20_000}
          dir="auto"
        />
      </label>
      {timeLabel !== undefined && (
        <label>
          {timeLabel}
          <input
            type="datetime-local"
            value={localTime}
            onChange={(event) => setLocalTime(event.currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" className={planning.primary} disabled={isMissing}>
        {action}
      </button>
    </form>
  )
}
