/** A deal parsed from a line; omitted parts are undefined. */
interface DealLine {
  name: string
  amount?: number
  /** Currency as written: a code or a sign. */
  currency?: string
  /** The start of a name. */
  company?: string
}

const signs: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' }
const code = '[A-Z]{3}|[€$£¥]'
const figure = '\\d[\\d.,]*k?'
const amountPattern = new RegExp(
  `(?<=^|\\s)(?:(?<before>${code})\\s?(?<n1>${figure})|(?<n2>${figure})\\s?(?<after>${code}))(?=\\s|$)`,
)
const companyPattern = /(?<=^|\s)@(?:"([^"]+)"|(\S+))/

/**
 * Parses `Website @Acme 12.500 EUR`: amount and currency, a company after an @ (in quotes if it contains spaces), and
 * the rest as the name.
 */
export function readDealLine(line: string): DealLine {
  let rest = line
  const company = companyPattern.exec(rest)
  if (company) rest = rest.replace(company[0], ' ')
  const money = amountPattern.exec(rest)
  const amount = readFigure(money?.groups?.n1 ?? money?.groups?.n2)
  if (money && amount !== undefined) rest = rest.replace(money[0], ' ')
  const currency = money?.groups?.before ?? money?.groups?.after
  const companyName = company?.[1] ?? company?.[2]
  return {
    name: rest.trim().replaceAll(/\s+/g, ' '),
    ...(amount === undefined ? {} : { amount }),
    ...(amount === undefined || currency === undefined
      ? {}
      : { currency: signs[currency] ?? currency }),
    ...(companyName === undefined ? {} : { company: companyName }),
  }
}

/** A number in informal notation: 12,500 or 12.500 or 12k or 99,90. */
export function readFigure(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const isThousands = text.endsWith('k')
  const digits = isThousands ? text.slice(0, -1) : text
  const [, whole = '', part] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? []
  const value = Number(`${whole.replaceAll(/[.,]/g, '')}${part === undefined ? '' : `.${part}`}`)
  if (whole === '' || !Number.isFinite(value)) return undefined
  return isThousands ? value * 1000 : value
}
