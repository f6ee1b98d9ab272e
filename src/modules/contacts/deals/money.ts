import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Amounts by currency; different currencies are never added together. */
export const Money = z.record(z.string(), z.number())
export type Money = z.infer<typeof Money>

/** Number of decimal digits of a currency: 2 for the euro, 0 for the yen, 3 for the Kuwaiti dinar. */
function digitsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2
  )
}

/** An amount, limited so that sums stay exact to the smallest unit. */
export const amountInput = () => z.number().min(0).max(1e11)

export const currencyInput = () => z.string().min(1).max(20)

/** A currency in stored form. @throws Refusal invalid_argument if ISO 4217 has no such code */
export function parseCurrency(text: string, field = 'currency'): string {
  const code = text.trim().toUpperCase()
  if (currencies.has(code)) return code
  throw invalid(
    field,
    `${JSON.stringify(text)} is not a currency.`,
    'Send an ISO 4217 code such as EUR or USD.',
  )
}

/** An amount in stored form. @throws Refusal invalid_argument if it has more decimal places than the currency */
export function parseAmount(amount: number, currency: string, field = 'amount'): number {
  const digits = digitsOf(currency)
  const stored = roundAmount(amount, digits)
  if (Math.abs(stored - amount) <= 1e-9) return stored
  throw invalid(
    field,
    `${amount} has too many decimal places for ${currency}.`,
    digits === 0 ? 'Send a whole number.' : `Send at most ${digits} decimal places.`,
  )
}

/** Adds up sums by currency, rounded to its decimal places; null counts as 0. `share`: factor for a sum. */
export function moneyOf(
  sums: readonly { currency: string; sum: number | null; share?: number }[],
): Money {
  const total = new Map<string, number>()
  for (const { currency, sum, share = 1 } of sums)
    if (sum !== null) total.set(currency, (total.get(currency) ?? 0) + sum * share)
  return Object.fromEntries(
    [...total]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => [currency, roundAmount(sum, digitsOf(currency))]),
  )
}

function roundAmount(amount: number, digits: number): number {
  return Math.round(amount * 10 ** digits) / 10 ** digits
}
