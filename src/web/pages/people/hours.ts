import { weekdayName } from '../settings/shared/words.ts'

type WeekHours = Readonly<Record<string, readonly { from: string; to: string }[]>>

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Working hours in words, grouping consecutive days with the same hours: “Mon–Thu 09:00–17:00, Fri 09:00–13:00”. */
export function describeHours(hours: WeekHours): string {
  const runs: { from: number; to: number; text: string }[] = []
  for (const [n, day] of days.entries()) {
    const text = (hours[day] ?? []).map(({ from, to }) => `${from}–${to}`).join(' and ')
    const lastRun = runs.at(-1)
    if (text === '') continue
    if (lastRun?.to === n - 1 && lastRun.text === text) lastRun.to = n
    else runs.push({ from: n, to: n, text })
  }
  const name = (n: number) => weekdayName(n + 1, 'short')
  return runs
    .map(({ from, to, text }) =>
      from === to ? `${name(from)} ${text}` : `${name(from)}–${name(to)} ${text}`,
    )
    .join(', ')
}
