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

/** Announces the outcome to users who cannot see it change. */
export function Announcement({ text }: { text: string }) {
  return (
    <p role="status" class="hidden">
      {text}
    </p>
  )
}

/** Plain text. `isOutside`: people outside the organization may have written it, so it is marked as theirs. */
export function PlainText({ text, isOutside = false }: { text: string; isOutside?: boolean }) {
  return (
    <div class={isOutside ? 'text outside' : 'text'}>
      {isOutside && <p class="badge">From outside</p>}
      <p class="body" dir="auto">
        {text}
      </p>
    </div>
  )
}
