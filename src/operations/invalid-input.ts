import type { z } from 'zod'
import { omitNullish } from '../kernel/present.ts'
import { Refusal } from '../kernel/refusal.ts'

type Issue = z.core.$ZodIssue

/** Additions to the text of schema issues. */
interface IssueTexts {
  /** Appended to the message of an issue. */
  detail?(issue: Issue): string
  /** Suggests replacements for unknown arguments. `path`: the object that contains them. */
  hintForUnknown(path: readonly PropertyKey[], keys: readonly string[]): string | undefined
}

const maxIssues = 20
const maxInMessage = 5
const maxPathLength = 80

/** The refusal for a schema's issues: lists all wrong arguments in `errors`, the first five in its message. */
export function invalidInput(issues: readonly Issue[], explain: IssueTexts): Refusal {
  const errors = firstOfEachPath(
    issues.slice(0, maxIssues).flatMap((issue) => errorsOf(issue, explain)),
  )
  const message = errors
    .slice(0, maxInMessage)
    .map((error) =>
      error.path ? `${error.path.slice(0, maxPathLength)}: ${error.message}` : error.message,
    )
    .join('; ')
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  return new Refusal(
    'invalid_argument',
    `${message}.`,
    omitNullish({
      field: errors[0]?.path || undefined,
      errors,
      hint: (unknown && explain.hintForUnknown(unknown.path, unknown.keys)) || undefined,
    }),
  )
}

function errorsOf(issue: Issue, { detail }: IssueTexts): { path: string; message: string }[] {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxIssues)
      .map((key) => ({ path: path ? `${path}.${key}` : key, message: 'unknown argument' }))
  return [{ path, message: issue.message + (detail?.(issue) ?? '') }]
}

/** Keeps the first issue per argument: a blank value, for example, is also too short. */
function firstOfEachPath<T extends { path: string }>(errors: readonly T[]): T[] {
  return errors.filter((error, i) => errors.findIndex((other) => other.path === error.path) === i)
}
