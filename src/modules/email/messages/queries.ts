import { isDay } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'

/** The operators of mail searches, with descriptions of their values. */
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
  excludedWords: string[]
  conditions: MailCondition[]
}

const queryPart =
  /(?<minus>-)?(?:(?<op>[a-z]+):(?:"(?<quotedValue>[^"]*)"|(?<value>[^\s"]+))|"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gi
const maxConditions = 30

/**
 * Parses a mail query: words, "phrases", -words and operators such as from:ann or -in:trash. An unknown operator
 * is treated as a word.
 * @throws Refusal invalid_argument if an operator does not accept its value
 */
export function parseMailQuery(text: string, field = 'query'): MailQuery {
  const query: MailQuery = { words: '', excludedWords: [], conditions: [] }
  const words: string[] = []
  for (const { groups = {} } of text.matchAll(queryPart)) {
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
    else if (minus !== undefined) query.excludedWords.push(phrase ?? word ?? '')
    else words.push(phrase === undefined ? (word ?? '') : `"${phrase}"`)
  }
  if (query.conditions.length + query.excludedWords.length > maxConditions)
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

/** Parses a size such as 5M into bytes; undefined if invalid. */
export function sizeOf(text: string): number | undefined {
  const match = /^(\d{1,9})(k|m|g)?b?$/i.exec(text)
  if (!match) return undefined
  return Number(match[1]) * 1024 ** ['', 'k', 'm', 'g'].indexOf((match[2] ?? '').toLowerCase())
}
