import { useReducer, useEffect } from 'react'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** “3 hours ago”, “in 2 days”. */
export function ago(at: string | number, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  const [unit, size] = steps.find(([, long]) => Math.abs(seconds) >= long) ?? ['second', 1]
  return relative.format(Math.abs(seconds) < 5 ? 0 : Math.round(seconds / size), unit)
}

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Date and time in the reader's zone. */
export function formatMoment(at: string | number): string {
  return long.format(new Date(at))
}

/** A day. `2026-11-30` is that day in every zone, not midnight UTC. */
export function date(at: string | number): string {
  return day.format(new Date(typeof at === 'string' && at.length === 10 ? `${at}T00:00` : at))
}

/** A relative time, with the exact one on hover; stays up to date. */
export function Ago({ at }: { at: string }) {
  const [, again] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    const timer = setInterval(again, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {ago(at)}
    </time>
  )
}
