import { createContext } from 'react'
import { fieldErrors } from '../../../../api/problem.ts'

interface PlanContextValue {
  isReadOnly: boolean
  /** Why the plan was not saved. */
  problem: Error | undefined
}

/** What holds for all fields of a plan. */
export const PlanContext = createContext<PlanContextValue>({
  isReadOnly: false,
  problem: undefined,
})

/** What a refusal says of a field, such as `conditions.0.expression`. */
export const problemAt = (problem: Error | undefined, path: string): string | undefined =>
  fieldErrors(problem)[path]

/** Where in a text something is wrong, as the server says it. */
export function wrongPlace(message: string): { line: number; column: number } | undefined {
  const [, line, column] = /\bline:? ?(\d+), col(?:umn)?:? ?(\d+)/.exec(message) ?? []
  return line === undefined || column === undefined
    ? undefined
    : { line: Number(line), column: Number(column) }
}
