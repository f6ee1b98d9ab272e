import type { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'
import type { RuleCondition, ruleFields, ruleOps } from '../shapes.ts'

type Condition = z.infer<typeof RuleCondition>
type Field = (typeof ruleFields)[number]
type Op = (typeof ruleOps)[number]

/** A message matches if all conditions in `all` hold, and at least one in `any`. */
export interface Conditions {
  all?: Condition[] | undefined
  any?: Condition[] | undefined
}

/** Properties of a message that rules match on. */
export interface MailFacts {
  /** Each as "Name <address>"; addresses in lower case. */
  from: Person[]
  to: Person[]
  cc: Person[]
  subject: string
  body: string
  /** Each as "Name: value". */
  headers: string[]
  /** The List-Id of a mailing list, else empty. */
  list: string
  isList: boolean
  hasAttachment: boolean
  /** Address and id of the account. */
  account: string[]
  size: number
}

interface Person {
  name: string
  address: string
}

const textOps: readonly Op[] = [
  'contains',
  'not_contains',
  'equals',
  'not_equals',
  'starts_with',
  'ends_with',
]
const opsOf: Record<Field, readonly Op[]> = {
  from: [...textOps, 'matches_domain'],
  to: [...textOps, 'matches_domain'],
  cc: [...textOps, 'matches_domain'],
  subject: textOps,
  body: ['contains', 'not_contains'],
  header: textOps,
  has_attachment: ['is'],
  list: ['contains', 'equals', 'is'],
  account: ['is', 'equals', 'not_equals'],
  size_bytes: ['greater_than', 'less_than'],
}

const maxValueLength = 500

/** Whether conditions require the body or all headers of a message. */
export function needsBody({ all = [], any = [] }: Conditions): boolean {
  return [...all, ...any].some(
    (item) =>
      item.field === 'body' ||
      item.field === 'header' ||
      (item.field === 'list' && item.op !== 'is'),
  )
}

/** @throws Refusal invalid_argument if a condition is invalid */
export function checkConditions({ all = [], any = [] }: Conditions): void {
  for (const [name, list] of Object.entries({ all, any }))
    for (const [i, condition] of list.entries())
      checkCondition(condition, `conditions.${name}[${i}]`)
}

function checkCondition({ field, op, value }: Condition, path: string): void {
  const ops = opsOf[field]
  if (!ops.includes(op))
    throw invalid(`${path}.op`, `${field} does not support ${op}.`, `Use ${ops.join(', ')}.`)
  const type = valueType(field, op)
  if (typeof value !== type)
    throw invalid(
      `${path}.value`,
      `${field} ${op} takes a ${type === 'boolean' ? 'true or false' : type}.`,
    )
  if (typeof value === 'string' && (value.trim() === '' || value.length > maxValueLength))
    throw invalid(`${path}.value`, `must be a text of 1 to ${maxValueLength} characters.`)
}

function valueType(field: Field, op: Op): 'number' | 'boolean' | 'string' {
  if (field === 'size_bytes') return 'number'
  return field === 'has_attachment' || (field === 'list' && op === 'is') ? 'boolean' : 'string'
}

/** Whether conditions hold for a message. Texts are compared literally and case-insensitively, not as patterns. */
export function matches({ all = [], any = [] }: Conditions, facts: MailFacts): boolean {
  return (
    all.every((item) => matchesMail(item, facts)) &&
    (any.length === 0 || any.some((item) => matchesMail(item, facts)))
  )
}

function matchesMail({ field, op, value }: Condition, facts: MailFacts): boolean {
  if (field === 'size_bytes')
    return op === 'greater_than' ? facts.size > Number(value) : facts.size < Number(value)
  if (field === 'has_attachment') return facts.hasAttachment === value
  if (field === 'list' && op === 'is') return facts.isList === value
  const text = foldRuleText(String(value))
  if (op === 'not_contains')
    return !conditionTextsOf(field, facts).some((name) => name.includes(text))
  if (op === 'not_equals') return !isEqual(field, facts, text)
  if (op === 'equals' || op === 'is') return isEqual(field, facts, text)
  if (op === 'matches_domain')
    return peopleInField(field, facts).some((person) => isOfDomain(person.address, text))
  const texts = conditionTextsOf(field, facts)
  if (op === 'contains') return texts.some((name) => name.includes(text))
  return op === 'starts_with'
    ? texts.some((name) => name.startsWith(text))
    : texts.some((name) => name.endsWith(text))
}

function isEqual(field: Field, facts: MailFacts, text: string): boolean {
  const people = peopleInField(field, facts)
  if (people.length > 0)
    return people.some(
      (person) => foldRuleText(person.address) === text || foldRuleText(person.name) === text,
    )
  return conditionTextsOf(field, facts).some((name) => name === text)
}

function conditionTextsOf(field: Field, facts: MailFacts): string[] {
  switch (field) {
    case 'from':
    case 'to':
    case 'cc':
      return facts[field].flatMap((fact) => [foldRuleText(fact.address), foldRuleText(fact.name)])
    case 'subject':
      return [foldRuleText(facts.subject)]
    case 'body':
      return [foldRuleText(facts.body)]
    case 'header':
      return facts.headers.map(foldRuleText)
    case 'list':
      return [foldRuleText(facts.list)]
    default:
      return facts.account.map(foldRuleText)
  }
}

function peopleInField(field: Field, facts: MailFacts): Person[] {
  return field === 'from' || field === 'to' || field === 'cc' ? facts[field] : []
}

function isOfDomain(address: string, domain: string): boolean {
  const addressDomain = foldRuleText(address).split('@').at(-1)!
  const wanted = domain.replace(/^@/, '')
  return addressDomain === wanted || addressDomain.endsWith(`.${wanted}`)
}

function foldRuleText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
