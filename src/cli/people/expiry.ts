import { invalid } from '../../kernel/refusal.ts'

const units = { h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const

/** The time in milliseconds at which `90d`, `12h`, `6w`, a day or a moment ends; a day in the given time zone. */
export async function expiryOf(text: string, now: number, timezone: string): Promise<number> {
  const duration = /^(\d{1,4})([hdw])$/.exec(text)
  if (duration) return now + Number(duration[1]) * units[duration[2] as keyof typeof units]
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text))
    throw invalid(
      'expires',
      `${JSON.stringify(text)} is not a valid expiry.`,
      'Use 90d, 12h or 6w, or a date such as 2027-01-01.',
    )
  const { parseInstant: instant } = await import('../../kernel/time/times.ts')
  return instant(text, timezone, 'end', 'expires')
}
