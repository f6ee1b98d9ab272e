import { HostError, type ToolResult } from './host.ts'

/** Why something was not done, for the person to read. */
export interface CallProblem {
  message: string
  hint?: string | undefined
  /** Of the refusal, such as `conflict`; undefined where it was not the workspace that refused. */
  code?: string | undefined
}

/** A call that was refused. */
export class RefusedCall extends Error {
  readonly problem: CallProblem

  constructor(problem: CallProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** The object that a tool answered. @throws RefusedCall for a refusal, or an answer that is no object */
export function toolValue(result: ToolResult): Record<string, unknown> {
  const value = result.structuredContent ?? parsed(textOf(result))
  if (result.isError) throw new RefusedCall(problemIn(value, textOf(result)))
  if (value === undefined) throw new RefusedCall({ message: 'The answer could not be read.' })
  return value
}

/** What went wrong, in words. */
export function problemOf(error: unknown): CallProblem {
  if (error instanceof RefusedCall) return error.problem
  if (error instanceof HostError) return { message: error.message }
  throw error
}

function problemIn(value: Record<string, unknown> | undefined, text: string): CallProblem {
  const said = (name: string) => {
    const part = value?.[name]
    return typeof part === 'string' ? part : undefined
  }
  return {
    message: said('message') ?? (text || 'The call was refused.'),
    hint: said('hint'),
    code: said('code'),
  }
}

function textOf({ content }: ToolResult): string {
  return content?.find(({ type }) => type === 'text')?.text ?? ''
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
