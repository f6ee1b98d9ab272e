import { useEffect, useState } from 'react'
import { t } from '../../../texts/index.ts'
import { durationText } from '../data/field-text.ts'
import type { TaskRow } from '../data/rows.ts'
import { applyChange } from '../pick/changes.ts'
import { numberChange } from '../pick/number-change.ts'
import styles from './item.module.css'

interface NumberFieldProps {
  row: TaskRow
  field: 'estimate' | 'points'
}

/** An estimate as `1h30` or `90m`, or a number of points; saved on blur. */
export function NumberField({ row, field }: NumberFieldProps) {
  const storedText =
    field === 'estimate' ? durationText(row.estimate_minutes) : String(row.points ?? '')
  const [text, setText] = useState(storedText)
  useEffect(() => setText(storedText), [storedText])
  const save = () => {
    const change = numberChange(field, text.trim())
    if (text.trim() === storedText || !change) return setText(storedText)
    void applyChange([row.id], change)
  }
  return (
    <input
      className={styles.number}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      placeholder={field === 'estimate' ? t.tasks.estimateHint : t.tasks.none}
      aria-label={t.tasks.fields[field]}
      maxLength={20}
    />
  )
}
