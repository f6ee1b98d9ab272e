import { useEffect, useRef, useState } from 'react'
import type { Input, Output } from '../../api/client.ts'
import { write } from '../../store/index.ts'
import { importTexts as words } from '../../texts/en/imports/imports.ts'
import { notifyProblem } from '../../ui/confirm.tsx'
import { followJob, notifyImported, type ImportJob } from './jobs.ts'
import type { useImportSource } from './source.ts'

export type ImportOperation =
  | 'import_tasks'
  | 'import_pages'
  | 'import_channels'
  | 'import_contacts'

/** Outcome of an import, made by the call or by a job. */
export interface ImportOutcome {
  text: string
  callIds: readonly string[]
  /** Why it was not completed. */
  problem?: string | undefined
}

export type ImportRun<Out extends ImportOutcome> =
  | { state: 'sending' }
  | { state: 'refused'; error: unknown }
  | { state: 'job'; jobId: string }
  | { state: 'ended'; outcome: Out }

interface RunOptions<N extends ImportOperation, Out extends ImportOutcome> {
  operation: N
  /** Source of the import: kept until it has finished, and cleared to start over. */
  source: Pick<ReturnType<typeof useImportSource>, 'hold' | 'clear'>
  outcomeOfCall: (answer: Output<N>) => Out
  /** Converts the result of a running job, so far. */
  outcomeOfJob?: (job: ImportJob) => Out
}

/** Outcome of a job: if it failed, the name of the import and the reason. */
export function withJobProblem<Out extends ImportOutcome>(
  { state, error }: ImportJob,
  name: string,
  outcome: Out,
): Out {
  if (state === 'done') return outcome
  const problem = state === 'cancelled' ? words.stopped : (error ?? words.failed)
  return { ...outcome, text: words.importOf(name), problem }
}

/** Runs an import. It continues when its dialog is closed, and reports its result. */
export function useImportRun<N extends ImportOperation, Out extends ImportOutcome>({
  operation,
  source,
  outcomeOfCall,
  outcomeOfJob,
}: RunOptions<N, Out>) {
  const [run, setRun] = useState<ImportRun<Out>>()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const finish = (outcome: Out) => {
    notifyImported(outcome.text, outcome.callIds, outcome.problem)
    setRun({ state: 'ended', outcome })
  }
  const begin = async (input: Input<N>, name: string) => {
    const release = source.hold()
    setRun({ state: 'sending' })
    const result = await write(operation, input, {
      text: words.importOf(name),
      lane: 'import',
      undo: false, // the notice at the end offers undo
      noticeSeconds: 0,
      handles: () => isShown.current,
    })
    const answer = result.state === 'done' ? result.value : undefined
    const job = (answer as { job?: { job_id: string } } | undefined)?.job
    try {
      if (job && outcomeOfJob) {
        setRun({ state: 'job', jobId: job.job_id })
        finish(outcomeOfJob(await followJob(job.job_id)))
      } else if (answer) finish(outcomeOfCall(answer))
      else
        setRun(result.state === 'refused' ? { state: 'refused', error: result.error } : undefined)
    } catch (error) {
      notifyProblem(error)
      setRun({ state: 'refused', error })
    }
    release()
  }
  const startOver = () => {
    source.clear()
    setRun(undefined)
  }
  return { run, begin, startOver }
}
