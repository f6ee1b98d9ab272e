import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { wholeHour } from '../../inbox/moments.ts'
import { minutesBetween } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { readPhrase } from './phrase.ts'

/** Event details parsed from words. */
export interface ParsedPhrase {
  /** Undefined: no day was given. */
  starts: string | undefined
  /** True if a time of day was given, too. */
  hasTime: boolean
  minutes: number | undefined
  guests: string[]
}

interface PhraseFieldProps {
  zone: string
  onParsed: (parsed: ParsedPhrase) => void
}

/** Times in words, parsed by the server; the result fills the form. */
export function PhraseField({ zone, onParsed }: PhraseFieldProps) {
  const [text, setText] = useState('')
  const [debouncedText] = useDebouncedValue(text, 200)
  const phrase = readPhrase(debouncedText)
  const timePhrase = wholeHour(phrase.timePhrase)
  const shouldResolve = timePhrase.length >= 2
  const { data, error } = useOperation(
    'get_current_time',
    { phrase: timePhrase, timezone: zone },
    { enabled: shouldResolve, staleTime: 60_000 },
  )
  const resolved = shouldResolve ? data?.resolved : undefined
  const onParsedRef = useRef(onParsed)
  useEffect(() => {
    onParsedRef.current = onParsed
  })
  useEffect(() => {
    const { minutes, guests } = readPhrase(debouncedText)
    if (debouncedText.trim() === '') return
    onParsedRef.current({ guests, minutes, ...resolvedTimesOf(resolved) })
  }, [debouncedText, resolved])
  const isUnknown = shouldResolve && (error !== null || (data !== undefined && !data.resolved))
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
  const durationMinutes = minutesBetween(starts, ends)
  const isPartOfDay = starts.slice(0, 10) === ends.slice(0, 10) && durationMinutes < 1439
  return isPartOfDay
    ? { starts, hasTime: true, minutes: durationMinutes }
    : { starts, hasTime: false }
}
