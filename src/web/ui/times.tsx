import { useReducer, useEffect } from 'react'

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** “3 hours ago”, “in 2 days”. */
export function ago(time: string | number, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const [unit, size] = units.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [
    'second',
    1,
  ]
  return relativeFormat.format(Math.abs(seconds) < 5 ? 0 : Math.round(seconds / size), unit)
}

const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** Date and time in the person's time zone. */
export function formatMoment(time: string | number): string {
  return momentFormat.format(new Date(time))
}

/** A day. `2026-11-30` is that day in every time zone, not midnight UTC. */
export function formatDate(time: string | number): string {
  return dayFormat.format(
    new Date(typeof time === 'string' && time.length === 10 ? `${time}T00:00` : time),
  )
}

/** A relative time, with the exact one on hover; stays up to date. */
export function Ago({ time: at }: { time: string }) {
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(rerender, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {ago(at)}
    </time>
  )
}
