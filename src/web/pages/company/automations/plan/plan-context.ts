import { createContext } from 'react'
import { fieldErrors } from '../../../../api/problem.ts'

interface PlanContextValue {
  isReadOnly: boolean
  /** Why the plan was not saved. */
  problem: Error | undefined
}

export const PlanContext = createContext<PlanContextValue>({
  isReadOnly: false,
  problem: undefined,
})

/** Error in a refusal for a field, such as `conditions.0.expression`. */
export const problemAt = (problem: Error | undefined, path: string): string | undefined =>
  fieldErrors(problem)[path]

/** Position of an error in a text, parsed from the server's message. */
export function errorPosition(message: string): { line: number; column: number } | undefined {
  const [, line, column] = /\bline:? ?(\d+), col(?:umn)?:? ?(\d+)/.exec(message) ?? []
  return line === undefined || column === undefined
    ? undefined
    : { line: Number(line), column: Number(column) }
}
