import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { compile, evaluateProgram } from './expressions.ts'
import type { ExpressionScope } from './scopes.ts'
import { scopeNames, type AutomationCondition } from '../shapes.ts'

export interface Result {
  text: string
  held: boolean
  value?: unknown
  error?: string
}

/** Refuses what is no expression, or names what there is not, with where. @throws Refusal invalid_argument */
export function checkExpression(text: string, field: string): void {
  compile(text, scopeNames, field)
}

/** Whether all conditions hold, each with what came of it; one that cannot be worked out does not hold, and says why. */
export async function evaluate(
  conditions: readonly AutomationCondition[],
  scope: ExpressionScope,
): Promise<{ held: boolean; results: Result[] }> {
  const results = conditions.map(({ expression }) => resultOf(expression, scope))
  return { held: results.every((result) => result.held), results }
}

function resultOf(text: string, scope: ExpressionScope): Result {
  try {
    const value = valueNow(text, scope)
    if (typeof value === 'boolean') return { text, held: value, value }
    return { text, held: false, value, error: 'The result is neither true nor false.' }
  } catch (error) {
    if (error instanceof Refusal) return { text, held: false, error: error.message }
    throw error
  }
}

/** @throws Refusal invalid_argument where it cannot be worked out */
export async function evaluateExpression(
  expression: string,
  scope: ExpressionScope,
): Promise<unknown> {
  return valueNow(expression, scope)
}

function valueNow(text: string, scope: ExpressionScope): unknown {
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
