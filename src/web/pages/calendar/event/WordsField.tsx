import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { wholeHour } from '../../inbox/moments.ts'
import { minutesBetween } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { readPhrase } from './phrase.ts'

/** Event details parsed from words. */
export interface Understood {
  /** Undefined: no day was given. */
  starts: string | undefined
  /** True if a time of day was given, too. */
  hasTime: boolean
  minutes: number | undefined
  guests: string[]
}

interface WordsFieldProps {
  zone: string
  understood: (what: Understood) => void
}

/** Times in words, parsed by the server; the result fills the form. */
export function WordsField({ zone, understood }: WordsFieldProps) {
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, 200)
  const phrase = readPhrase(settled)
  const when = wholeHour(phrase.when)
  const isAsked = when.length >= 2
  const { data, error } = useOperation(
    'get_current_time',
    { phrase: when, timezone: zone },
    { enabled: isAsked, staleTime: 60_000 },
  )
  const resolved = isAsked ? data?.resolved : undefined
  const tell = useRef(understood)
  useEffect(() => {
    tell.current = understood
  })
  useEffect(() => {
    const { minutes, guests } = readPhrase(settled)
    if (settled.trim() === '') return
    tell.current({ guests, minutes, ...resolvedTimesOf(resolved) })
  }, [settled, resolved])
  const isUnknown = isAsked && (error !== null || (data !== undefined && !data.resolved))
  return (
    <label className={styles.field} data-wide>
      <span>{t.calendar.form.words}</span>
      <input
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        placeholder={t.calendar.form.wordsHint}
        autoComplete="off"
        dir="auto"
      />
      <span className={styles.hint} role="status">
        {isUnknown ? t.calendar.form.unknown : (resolved?.reading ?? '')}
      </span>
    </label>
  )
}

interface Resolved {
  from: string
  to: string
  from_local: string
  to_local: string
}

/** A day alone has no time; a period within a day gives the duration. */
function resolvedTimesOf(resolved: Resolved | undefined) {
  if (!resolved) return { starts: undefined, hasTime: false }
  const [starts, ends] = [resolved.from_local.slice(0, 16), resolved.to_local.slice(0, 16)]
  if (resolved.from === resolved.to) return { starts, hasTime: true }
  const length = minutesBetween(starts, ends)
  const isPartOfDay = starts.slice(0, 10) === ends.slice(0, 10) && length < 1439
  return isPartOfDay ? { starts, hasTime: true, minutes: length } : { starts, hasTime: false }
}
