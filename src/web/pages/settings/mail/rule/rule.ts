// A mail rule as its form holds it. Rows have keys of their own, so that what is typed stays with its row.

import type { Input, Output } from '../../../../api/client.ts'
import { randomId } from '../../../../store/index.ts'

type Stored = Output<'list_email_rules'>['items'][number]
type Conditions = Stored['conditions']
type Condition = NonNullable<Conditions['all']>[number]

export type ConditionField = Condition['field']
type ConditionOp = Condition['op']
export type RuleActionType = Stored['actions'][number]['type']

export interface ConditionDraft extends Condition {
  key: string
}

interface ActionParams {
  label?: string[]
  folder?: string
  hours?: number
  until_reply?: boolean
  project_id?: string
  title?: string
  text?: string
}

export interface RuleActionDraft {
  key: string
  type: RuleActionType
  params: ActionParams
}

export interface RuleDraft {
  name: string
  /** Undefined: of all accounts. */
  accountId: string | undefined
  all: ConditionDraft[]
  any: ConditionDraft[]
  actions: RuleActionDraft[]
}

const textOps = [
  'contains',
  'not_contains',
  'equals',
  'not_equals',
  'starts_with',
  'ends_with',
] as const

const ops: Readonly<Record<ConditionField, readonly [ConditionOp, ...ConditionOp[]]>> = {
  from: [...textOps, 'matches_domain'],
  to: [...textOps, 'matches_domain'],
  cc: [...textOps, 'matches_domain'],
  subject: textOps,
  body: ['contains', 'not_contains'],
  header: textOps,
  has_attachment: ['is'],
  list: ['is', 'contains', 'equals'],
  account: ['is', 'not_equals'],
  size_bytes: ['greater_than', 'less_than'],
}

export const conditionFields = Object.keys(ops) as ConditionField[]

/** The comparisons that are offered, with the one that is stored. */
export function opsOf({ field, op }: Condition): readonly ConditionOp[] {
  return ops[field].includes(op) ? ops[field] : [...ops[field], op]
}

export function valueKind({ field, op }: Condition): 'text' | 'number' | 'truth' {
  if (field === 'size_bytes') return 'number'
  return field === 'has_attachment' || (field === 'list' && op === 'is') ? 'truth' : 'text'
}

const firstValues = { text: '', number: 1_000_000, truth: true }

/** With another field or comparison; the value stays where it still fits. */
export function changedCondition(
  before: ConditionDraft,
  set: Partial<Pick<ConditionDraft, 'field' | 'op'>>,
): ConditionDraft {
  const field = set.field ?? before.field
  const isKept = ops[field].includes(before.op)
  const op = set.op ?? (isKept ? before.op : ops[field][0])
  const next = { ...before, field, op }
  const kind = valueKind(next)
  const fits = kind === valueKind(before) && (field === 'account') === (before.field === 'account')
  return fits ? next : { ...next, value: firstValues[kind] }
}

export const newCondition = (value = ''): ConditionDraft => ({
  key: randomId(),
  field: 'from',
  op: value === '' ? 'contains' : 'equals',
  value,
})

export const newAction = (type: RuleActionType = 'archive'): RuleActionDraft => ({
  key: randomId(),
  type,
  params: type === 'snooze' ? { hours: 24 } : {},
})

/** A rule that is begun; with an address for the mail of this sender. */
export function newRule(from = ''): RuleDraft {
  return {
    name: from,
    accountId: undefined,
    all: [newCondition(from)],
    any: [],
    actions: [newAction()],
  }
}

/** A rule that is there. */
export function ruleDraft({ name, account_id, conditions, actions }: Stored): RuleDraft {
  const rows = (conditions: Condition[] | undefined) =>
    (conditions ?? []).map((item) => ({ ...item, key: randomId() }))
  return {
    name,
    accountId: account_id,
    all: rows(conditions.all),
    any: rows(conditions.any),
    actions: actions.map(({ type, params = {} }) => ({
      key: randomId(),
      type,
      params: { ...params, ...('label' in params && { label: [params.label].flat() as string[] }) },
    })),
  }
}

const isComplete = ({ value }: Condition) => typeof value !== 'string' || value.trim() !== ''

/** The conditions as they stand; `onlyComplete` leaves out those whose value is missing. */
export function sentConditions({ all, any }: RuleDraft, onlyComplete = false): Conditions {
  const rows = (drafts: readonly ConditionDraft[]) =>
    drafts
      .filter((item) => !onlyComplete || isComplete(item))
      .map(({ field, op, value }) => ({ field, op, value }))
  const [whole, some] = [rows(all), rows(any)]
  return { ...(whole.length > 0 && { all: whole }), ...(some.length > 0 && { any: some }) }
}

/** The actions with what each takes; what is empty is left out. */
export function sentActions({ actions }: RuleDraft): Input<'create_email_rule'>['actions'] {
  return actions.map(({ type, params }) => {
    const paramEntries = Object.entries(params).filter(
      ([, value]) => value !== '' && value !== false,
    )
    return paramEntries.length === 0 ? { type } : { type, params: Object.fromEntries(paramEntries) }
  })
}
