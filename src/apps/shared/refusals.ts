import { HostError, type ToolResult } from './host.ts'

/** Reason for a failure, shown to the person. */
export interface CallProblem {
  message: string
  hint?: string | undefined
  /** Code of the refusal, such as `conflict`; undefined if the refusal did not come from the workspace. */
  code?: string | undefined
}

/** A refused call. */
export class RefusedCall extends Error {
  readonly problem: CallProblem

  constructor(problem: CallProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** The object in a tool's answer. @throws RefusedCall for a refusal, or an answer that is not an object */
export function toolValue(result: ToolResult): Record<string, unknown> {
  const value = result.structuredContent ?? parseObject(toolResultText(result))
  if (result.isError) throw new RefusedCall(problemIn(value, toolResultText(result)))
  if (value === undefined) throw new RefusedCall({ message: 'The answer could not be read.' })
  return value
}

export function problemOf(error: unknown): CallProblem {
  if (error instanceof RefusedCall) return error.problem
  if (error instanceof HostError) return { message: error.message }
  throw error
}

function problemIn(value: Record<string, unknown> | undefined, text: string): CallProblem {
  const textPart = (name: string) => {
    const part = value?.[name]
    return typeof part === 'string' ? part : undefined
  }
  return {
    message: textPart('message') ?? (text || 'The call was refused.'),
    hint: textPart('hint'),
    code: textPart('code'),
  }
}

function toolResultText({ content }: ToolResult): string {
  return content?.find(({ type }) => type === 'text')?.text ?? ''
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
