import type { CallProblem } from './refusals.ts'

export function ProblemNotice({ problem }: { problem: CallProblem | undefined }) {
  return (
    <div role="alert">
      {problem && (
        <div class="notice danger">
          <p dir="auto">{problem.message}</p>
          {problem.hint && (
            <p class="muted" dir="auto">
              {problem.hint}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

/** Announces the outcome to users of a screen reader. */
export function Announcement({ text }: { text: string }) {
  return (
    <p role="status" class="hidden">
      {text}
    </p>
  )
}

/** Plain text. `isFromOutside`: people outside the organization may have written it, so it is marked. */
export function PlainText({
  text,
  isFromOutside = false,
}: {
  text: string
  isFromOutside?: boolean
}) {
  return (
    <div class={isFromOutside ? 'text outside' : 'text'}>
      {isFromOutside && <p class="badge">From outside</p>}
      <p class="body" dir="auto">
        {text}
      </p>
    </div>
  )
}
