import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { compile, evaluateProgram } from './expressions.ts'
import type { ExpressionScope } from './scopes.ts'
import { scopeNames, type AutomationCondition } from '../shapes.ts'

export interface ConditionResult {
  text: string
  held: boolean
  value?: unknown
  error?: string
}

/** Refuses invalid expressions and unknown names, with the position. @throws Refusal invalid_argument */
export function checkExpression(text: string, field: string): void {
  compile(text, scopeNames, field)
}

/**
 * Whether all conditions hold, with the result of each; one that fails to evaluate does not hold, and includes the
 * reason.
 */
export async function evaluate(
  conditions: readonly AutomationCondition[],
  scope: ExpressionScope,
): Promise<{ held: boolean; results: ConditionResult[] }> {
  const results = conditions.map(({ expression }) => resultOf(expression, scope))
  return { held: results.every((result) => result.held), results }
}

function resultOf(text: string, scope: ExpressionScope): ConditionResult {
  try {
    const value = evaluateSync(text, scope)
    if (typeof value === 'boolean') return { text, held: value, value }
    return { text, held: false, value, error: 'The result is neither true nor false.' }
  } catch (error) {
    if (error instanceof Refusal) return { text, held: false, error: error.message }
    throw error
  }
}

/** @throws Refusal invalid_argument if it cannot be evaluated */
export async function evaluateExpression(
  expression: string,
  scope: ExpressionScope,
): Promise<unknown> {
  return evaluateSync(expression, scope)
}

function evaluateSync(text: string, scope: ExpressionScope): unknown {
  const program = compile(text, scopeNames, 'expression')
  try {
    return evaluateProgram(program, scope)
  } catch (error) {
    throw invalid(
      'expression',
      `${JSON.stringify(text.slice(0, 100))} cannot be evaluated: ${(error as Error).message.slice(0, 200)}.`,
    )
  }
}
