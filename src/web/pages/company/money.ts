/** An amount in its currency, without cents if they are zero. */
export const formatMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)

/** Sums by currency, largest first. */
export const formatSums = (amounts: Readonly<Record<string, number>>) =>
  Object.entries(amounts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(' + ')
