import type { CatalogueView, Entry } from '../../../operations/entry.ts'
import { sendsOutbound } from '../../../operations/approvals/approvals.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { AutomationAction } from '../shapes.ts'
import { hasTemplate } from '../expressions/templates.ts'
import { allActions } from '../runs/traversal.ts'

/** Operations on automations that automations may call: others would let automations create or enable each other. */
const allowedAutomationWrites = ['disable_automation']
/** Operations that can bring back anything, including a disabled automation. */
const restoringOperations = ['undo_api_call', 'restore_item']

/** The operation of an action; undefined if it does not exist or is not for automations. */
export function actionEntry(catalogue: CatalogueView, type: string): Entry | undefined {
  const entry = catalogue.find(type)
  if (!entry || entry.operation.unlisted || entry.operation.name !== type) return undefined
  if (restoringOperations.includes(type)) return undefined
  if (
    entry.module === 'automations' &&
    entry.operation.kind !== 'read' &&
    !allowedAutomationWrites.includes(type)
  )
    return undefined
  return entry
}

/**
 * Refuses parameters that no call of the operation accepts; template results are validated when it is called. @throws
 * Refusal invalid_argument
 */
export function checkActionParams(
  { operation, schemas }: Entry,
  params: Record<string, unknown>,
  field: string,
): void {
  const required = (schemas.inputJson.required ?? []) as string[]
  const unknown = Object.keys(params).filter((name) => !schemas.names.includes(name))
  if (unknown.length > 0)
    throw invalid(
      `${field}.${unknown[0]!}`,
      'unknown argument.',
      `${operation.name} takes ${schemas.names.join(', ') || 'no arguments'}.`,
    )
  const missing = required.filter((name) => !(name in params))
  if (missing.length > 0)
    throw invalid(`${field}.${missing[0]!}`, `is required by ${operation.name}.`)
  const shape = schemas.input.shape as Record<
    string,
    {
      safeParse(value: unknown): {
        success: boolean
        error?: { issues: readonly { message: string; path: readonly PropertyKey[] }[] }
      }
    }
  >
  for (const [name, value] of Object.entries(params)) {
    const parsed = hasTemplate(value) ? undefined : shape[name]?.safeParse(value)
    const issue = parsed?.error?.issues[0]
    if (issue)
      throw invalid([field, name, ...issue.path.map(String)].join('.'), `${issue.message}.`)
  }
}

/** Whether an action sends something outside; if that depends on a template's result, it counts as sending. */
export function hasOutboundAction(
  catalogue: CatalogueView,
  actions: readonly AutomationAction[],
): boolean {
  return allActions(actions).some(({ action: { type, params } }) => {
    const entry = actionEntry(catalogue, type)
    if (!entry) return false
    return (
      sendsOutbound(entry, params) ||
      (typeof entry.operation.outbound === 'function' && hasTemplate(params))
    )
  })
}
