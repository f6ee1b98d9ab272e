/** An amount in its currency, without cents if they are zero. */
export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)

/** Sums by currency, largest first. */
export const sums = (by: Readonly<Record<string, number>>) =>
  Object.entries(by)
    .toSorted(([, a], [, b]) => b - a)
    .map(([currency, amount]) => money(amount, currency))
    .join(' + ')
