import { invalid } from '../../kernel/refusal.ts'

const units = { h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const

/** Milliseconds of `90d`, `12h`, `6w`, a day or a moment; a day counts to its end in its owner's time zone. */
export async function expiryOf(text: string, now: number, zone: string): Promise<number> {
  const span = /^(\d{1,4})([hdw])$/.exec(text)
  if (span) return now + Number(span[1]) * units[span[2] as keyof typeof units]
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2})?)?$/.test(text))
    throw invalid(
      'expires',
      `${JSON.stringify(text)} is not a valid expiry.`,
      'Use 90d, 12h or 6w, or a date such as 2027-01-01.',
    )
  const { parseInstant: instant } = await import('../../kernel/time/times.ts')
  return instant(text, zone, 'end', 'expires')
}
