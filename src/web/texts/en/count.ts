const number = new Intl.NumberFormat('en')

/** So many of something: `1 key`, `1,200 keys`. */
export const count = (n: number, name: string, many: string) =>
  `${number.format(n)} ${n === 1 ? name : many}`

export const localNumber = new Intl.NumberFormat(undefined)
const plural = new Intl.PluralRules('en')

/** So many of something, the number as the reader's locale writes it. */
export const localCount = (n: number, name: string, many: string) =>
  `${localNumber.format(n)} ${plural.select(n) === 'one' ? name : many}`
