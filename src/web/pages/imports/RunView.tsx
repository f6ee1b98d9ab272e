import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { notify, undoLast } from '../../store/index.ts'
import { importTexts as words } from '../../texts/en/imports/imports.ts'
import { Problem } from '../../ui/states.tsx'
import planning from '../planning/planning.module.css'
import styles from './imports.module.css'
import { isRunning, jobQuery, stopJob } from './jobs.ts'
import { closeImport } from './open.ts'
import type { ImportOutcome, ImportRun } from './run.ts'

interface RunViewProps<Out extends ImportOutcome> {
  run: ImportRun<Out>
  startOver: () => void
  children: (outcome: Out) => ReactNode
}

/** A running import: its progress, then its result. */
export function RunView<Out extends ImportOutcome>({
  run,
  startOver,
  children,
}: RunViewProps<Out>) {
  if (run.state === 'sending') return <p role="status">{words.sending}</p>
  if (run.state === 'job') return <JobView jobId={run.jobId} />
  if (run.state === 'refused')
    return (
      <div className={styles.outcome}>
        <Problem error={run.error} />
        <button type="button" className={planning.button} onClick={startOver} data-autofocus>
          {words.back}
        </button>
      </div>
    )
  return (
    <RunResult outcome={run.outcome} startOver={startOver}>
      {children(run.outcome)}
    </RunResult>
  )
}

/** Progress of an import job. */
function JobView({ jobId }: { jobId: string }) {
  const { data: job } = useQuery({ ...jobQuery(jobId), staleTime: Number.POSITIVE_INFINITY })
  const stop = useMutation({ mutationFn: stopJob })
  const progress = job?.progress
  return (
    <div className={styles.outcome}>
      <p className={styles.progress}>
        <progress value={progress?.done} max={progress?.total} aria-label={words.sending} />
        <span role="status">
          {progress ? words.progress(progress.done, progress.total) : words.waiting}
        </span>
      </p>
      <p className={planning.note}>{words.goesOn}</p>
      {stop.error && <Problem error={stop.error} />}
      <button
        type="button"
        className={planning.button}
        disabled={stop.isPending || (job !== undefined && !isRunning(job))}
        onClick={() => stop.mutate(jobId)}
      >
        {words.stop}
      </button>
    </div>
  )
}

/** Number of calls above which undoing takes a while. */
const manyCalls = 10

interface RunResultProps {
  outcome: ImportOutcome
  startOver: () => void
  children: ReactNode
}

function RunResult({ outcome: { text, callIds, problem }, startOver, children }: RunResultProps) {
  const [firstCallId] = callIds
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), []) // the focused button is gone
  const undo = () => {
    closeImport()
    if (callIds.length > manyCalls)
      notify({ text: words.undoing(callIds.length), seconds: 8, actions: [] })
    void undoLast(firstCallId)
  }
  return (
    <div className={styles.outcome}>
      <p ref={heading} tabIndex={-1} role="status">
        <strong dir="auto">{text}</strong>
      </p>
      {problem !== undefined && <p dir="auto">{problem}</p>}
      {children}
      <div className={styles.actions}>
        <button type="button" className={planning.primary} onClick={closeImport}>
          {words.close}
        </button>
        {firstCallId !== undefined && (
          <button type="button" className={planning.button} onClick={undo}>
            {words.undo}
          </button>
        )}
        <button type="button" className={planning.button} onClick={startOver}>
          {words.again}
        </button>
      </div>
    </div>
  )
}
