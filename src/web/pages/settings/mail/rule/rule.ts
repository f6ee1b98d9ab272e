// Form values of a mail rule. Rows have keys, so that typed text stays with its row.

import type { Input, Output } from '../../../../api/client.ts'
import { randomId } from '../../../../store/index.ts'

type StoredRule = Output<'list_email_rules'>['items'][number]
type Conditions = StoredRule['conditions']
type Condition = NonNullable<Conditions['all']>[number]

export type ConditionField = Condition['field']
type ConditionOp = Condition['op']
export type RuleActionType = StoredRule['actions'][number]['type']

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
  /** Undefined: all accounts. */
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

/** The offered comparisons, including the stored one. */
export function opsOf({ field, op }: Condition): readonly ConditionOp[] {
  return ops[field].includes(op) ? ops[field] : [...ops[field], op]
}

export function valueKind({ field, op }: Condition): 'text' | 'number' | 'truth' {
  if (field === 'size_bytes') return 'number'
  return field === 'has_attachment' || (field === 'list' && op === 'is') ? 'truth' : 'text'
}

const defaultValues = { text: '', number: 1_000_000, truth: true }

/** Changes the field or comparison of a condition; keeps the value if it still fits. */
export function updateCondition(
  condition: ConditionDraft,
  change: Partial<Pick<ConditionDraft, 'field' | 'op'>>,
): ConditionDraft {
  const field = change.field ?? condition.field
  const isOpSupported = ops[field].includes(condition.op)
  const op = change.op ?? (isOpSupported ? condition.op : ops[field][0])
  const updated = { ...condition, field, op }
  const kind = valueKind(updated)
  const keepsValue =
    kind === valueKind(condition) && (field === 'account') === (condition.field === 'account')
  return keepsValue ? updated : { ...updated, value: defaultValues[kind] }
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

/** A new rule, optionally for the mail of a sender. */
export function newRule(from = ''): RuleDraft {
  return {
    name: from,
    accountId: undefined,
    all: [newCondition(from)],
    any: [],
    actions: [newAction()],
  }
}

export function ruleDraft({ name, account_id, conditions, actions }: StoredRule): RuleDraft {
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

/** The current conditions; `onlyComplete` omits those without a value. */
export function toConditions({ all, any }: RuleDraft, onlyComplete = false): Conditions {
  const rows = (drafts: readonly ConditionDraft[]) =>
    drafts
      .filter((item) => !onlyComplete || isComplete(item))
      .map(({ field, op, value }) => ({ field, op, value }))
  const [allRows, anyRows] = [rows(all), rows(any)]
  return {
    ...(allRows.length > 0 && { all: allRows }),
    ...(anyRows.length > 0 && { any: anyRows }),
  }
}

/** The actions with their arguments, without empty ones. */
export function toActions({ actions }: RuleDraft): Input<'create_email_rule'>['actions'] {
  return actions.map(({ type, params }) => {
    const paramEntries = Object.entries(params).filter(
      ([, value]) => value !== '' && value !== false,
    )
    return paramEntries.length === 0 ? { type } : { type, params: Object.fromEntries(paramEntries) }
  })
}
