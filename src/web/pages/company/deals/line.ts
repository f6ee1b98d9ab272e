/** A deal parsed from a line; omitted parts are undefined. */
interface DealLine {
  name: string
  amount?: number
  /** Currency as written: a code or a sign. */
  currency?: string
  /** The start of a company's name. */
  company?: string
}

const currencyBySign: Readonly<Record<string, string>> = {
  '€': 'EUR',
  $: 'USD',
  '£': 'GBP',
  '¥': 'JPY',
}
const currencyPattern = '[A-Z]{3}|[€$£¥]'
const numberPattern = '\\d[\\d.,]*k?'
const amountPattern = new RegExp(
  `(?<=^|\\s)(?:(?<before>${currencyPattern})\\s?(?<n1>${numberPattern})|(?<n2>${numberPattern})\\s?(?<after>${currencyPattern}))(?=\\s|$)`,
)
const companyPattern = /(?<=^|\s)@(?:"([^"]+)"|(\S+))/

/**
 * Parses `Website @Acme 12.500 EUR`: amount and currency, a company after an @ (in quotes if it contains spaces), and
 * the rest as the name.
 */
export function parseDealLine(line: string): DealLine {
  let rest = line
  const companyMatch = companyPattern.exec(rest)
  if (companyMatch) rest = rest.replace(companyMatch[0], ' ')
  const amountMatch = amountPattern.exec(rest)
  const amount = parseAmount(amountMatch?.groups?.n1 ?? amountMatch?.groups?.n2)
  if (amountMatch && amount !== undefined) rest = rest.replace(amountMatch[0], ' ')
  const currency = amountMatch?.groups?.before ?? amountMatch?.groups?.after
  const companyName = companyMatch?.[1] ?? companyMatch?.[2]
  return {
    name: rest.trim().replaceAll(/\s+/g, ' '),
    ...(amount === undefined ? {} : { amount }),
    ...(amount === undefined || currency === undefined
      ? {}
      : { currency: currencyBySign[currency] ?? currency }),
    ...(companyName === undefined ? {} : { company: companyName }),
  }
}

/** A number in informal notation: 12,500 or 12.500 or 12k or 99,90. */
export function parseAmount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const isThousands = text.endsWith('k')
  const digits = isThousands ? text.slice(0, -1) : text
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  const value = Number(
    `${whole.replaceAll(/[.,]/g, '')}${fraction === undefined ? '' : `.${fraction}`}`,
  )
  if (whole === '' || !Number.isFinite(value)) return undefined
  return isThousands ? value * 1000 : value
}
