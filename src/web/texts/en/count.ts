const numberFormat = new Intl.NumberFormat('en')

/** A number with its noun: `1 key`, `1,200 keys`. */
export const count = (n: number, singular: string, pluralForm: string) =>
  `${numberFormat.format(n)} ${n === 1 ? singular : pluralForm}`

export const localNumberFormat = new Intl.NumberFormat(undefined)
const pluralRules = new Intl.PluralRules('en')

/** A number with its noun, formatted in the reader's locale. */
export const localCount = (n: number, singular: string, pluralForm: string) =>
  `${localNumberFormat.format(n)} ${pluralRules.select(n) === 'one' ? singular : pluralForm}`
