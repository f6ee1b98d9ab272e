import { isDay } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'

/** The operators that a search of mail understands, with what each takes. */
export const operators = {
  from: 'a name or an address',
  to: 'a name or an address, of To, Cc or Bcc',
  cc: 'a name or an address',
  subject: 'words of the subject',
  has: 'attachment',
  is: 'unread, read, starred or answered',
  in: 'inbox, archive, sent, drafts, trash, spam, anywhere, or the name of a folder',
  label: 'the name of a label',
  before: 'a date such as 2026-11-20',
  after: 'a date such as 2026-11-20',
  larger: 'a size such as 5M',
  smaller: 'a size such as 500K',
} as const

type Operator = keyof typeof operators

export interface MailCondition {
  op: Operator
  value: string
  not: boolean
}

/** Parsed mail search: words for the word index, excluded words, and conditions. */
export interface MailQuery {
  words: string
  without: string[]
  conditions: MailCondition[]
}

const piece =
  /(?<minus>-)?(?:(?<op>[a-z]+):(?:"(?<quotedValue>[^"]*)"|(?<value>[^\s"]+))|"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gi
const maxConditions = 30

/**
 * Reads a query of mail: words, "phrases", -words and operators such as from:ann or -in:trash. A colon after a word that is no
 * operator is part of the word.
 * @throws Refusal invalid_argument where the value of an operator is none
 */
export function parseMailQuery(text: string, field = 'query'): MailQuery {
  const query: MailQuery = { words: '', without: [], conditions: [] }
  const words: string[] = []
  for (const { groups = {} } of text.matchAll(piece)) {
    const { minus, op = '', quotedValue, value = quotedValue, phrase, word } = groups
    const name = op.toLowerCase()
    if (name in operators && value !== undefined && value.trim() !== '')
      query.conditions.push(
        requireMailCondition(
          { op: name as Operator, value: value.trim(), not: minus !== undefined },
          field,
        ),
      )
    else if (op !== '') words.push(`${op}: ${value ?? ''}`)
    else if (minus !== undefined) query.without.push(phrase ?? word ?? '')
    else words.push(phrase === undefined ? (word ?? '') : `"${phrase}"`)
  }
  if (query.conditions.length + query.without.length > maxConditions)
    throw invalid(field, `it has more than ${maxConditions} conditions.`, 'Use fewer conditions.')
  return { ...query, words: words.join(' ') }
}

const choices: Partial<Record<Operator, readonly string[]>> = {
  has: ['attachment', 'attachments'],
  is: ['unread', 'read', 'starred', 'answered'],
}

/** Whether the operator can be used with the value. */
function isAccepted({ op, value }: MailCondition): boolean {
  const allowedValues = choices[op]
  if (allowedValues) return allowedValues.includes(value.toLowerCase())
  if (op === 'before' || op === 'after') return isDay(value)
  if (op === 'larger' || op === 'smaller') return sizeOf(value) !== undefined
  return true
}

function requireMailCondition(mailCondition: MailCondition, field: string): MailCondition {
  const allowedValues = choices[mailCondition.op]
  if (!isAccepted(mailCondition))
    throw invalid(
      field,
      `${mailCondition.op}:${mailCondition.value} is not understood.`,
      `${mailCondition.op}: takes ${operators[mailCondition.op]}.`,
    )
  return allowedValues
    ? { ...mailCondition, value: mailCondition.value.toLowerCase() }
    : mailCondition
}

/** Bytes that a text such as 5M names; undefined where it names none. */
export function sizeOf(text: string): number | undefined {
  const match = /^(\d{1,9})(k|m|g)?b?$/i.exec(text)
  if (!match) return undefined
  return Number(match[1]) * 1024 ** ['', 'k', 'm', 'g'].indexOf((match[2] ?? '').toLowerCase())
}
