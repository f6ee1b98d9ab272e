import { useState } from 'react'
import type { Output } from '../../../../api/client.ts'
import { useList, useOperation } from '../../../../api/queries.ts'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { MoreButton } from '../../../../ui/actions/MoreButton.tsx'
import { RouterLink } from '../../../../ui/AppLink.tsx'
import { ItemLink } from '../../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../../ui/states.tsx'
import { Ago } from '../../../../ui/times.tsx'
import planning from '../../../planning/planning.module.css'
import styles from '../automations.module.css'
import { RunIcon } from '../states.tsx'
import { UndoRun } from './UndoRun.tsx'
import { ValueBlock } from './ValueBlock.tsx'

type Run = Output<'list_automation_runs'>['items'][number]

const runningPollMs = 2000
const idlePollMs = 15_000
const isInProgress = ({ status }: Run) => status === 'queued' || status === 'running'

/** The runs of an automation, newest first, with expandable steps. Reloaded while one is in progress. */
export function RunList({ id, isOwn }: { id: string; isOwn: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const runs = useList(
    'list_automation_runs',
    { automation_id: id, limit: 20 },
    { refetchInterval: isBusy ? runningPollMs : idlePollMs },
  )
  const isRunning = runs.items.some(isInProgress)
  if (runs.data && isRunning !== isBusy) setBusy(isRunning)
  return (
    <section className={planning.section} aria-label={words.runs}>
      <h2>{words.runs}</h2>
      <QueryContent query={runs}>
        {() =>
          runs.items.length === 0 ? (
            <p className={planning.quiet}>{words.noRuns}</p>
          ) : (
            <ul className={styles.results}>
              {runs.items.map((run) => (
                <li key={run.id}>
                  <RunLine run={run} isOwn={isOwn} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={runs} />
    </section>
  )
}

interface RunProps {
  run: Run
  isOwn: boolean
}

function RunLine({ run, isOwn }: RunProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.run} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <RunIcon status={run.status} label={words.runStates[run.status]} />
        <span>{words.runStates[run.status]}</span>
        {run.trigger_item && (
          <span className={planning.name} dir="auto">
            {words.on(run.trigger_item.title)}
          </span>
        )}
        <span className={styles.note}>
          {run.duration_ms !== undefined && `${words.tookMs(run.duration_ms)} · `}
          <Ago time={run.created_at} />
        </span>
      </summary>
      {isOpen && <RunDetail run={run} isOwn={isOwn} />}
    </details>
  )
}

function RunDetail({ run, isOwn }: RunProps) {
  const runQuery = useOperation(
    'get_automation_run',
    { run_id: run.id },
    isInProgress(run) ? { refetchInterval: runningPollMs } : {},
  )
  return (
    <div className={styles.outcome}>
      {run.reason && <p className={styles.wrong}>{run.reason}</p>}
      {run.resumes_at && (
        <p>
          {words.resumes} <Ago time={run.resumes_at} />
        </p>
      )}
      <QueryContent query={runQuery}>
        {({ steps = [], changed_items: changedItems = [] }) => (
          <>
            {steps.length === 0 && <p className={styles.note}>{words.noSteps}</p>}
            <ol className={styles.results}>
              {steps.map((step) => (
                <li key={step.path}>
                  <RunIcon status={step.status} label={words.stepStates[step.status]} />
                  <span>{words.actionWord(step.action)}</span>
                  {step.approval_id && (
                    <RouterLink to="/approvals">{words.awaitsApproval}</RouterLink>
                  )}
                  {step.error && <span className={styles.wrong}>{step.error.message}</span>}
                  <ValueBlock label={words.input} value={step.input} />
                  {step.output !== undefined && (
                    <ValueBlock label={words.output} value={step.output} />
                  )}
                </li>
              ))}
            </ol>
            {changedItems.length > 0 && <h3>{words.changed}</h3>}
            <ul className={styles.results}>
              {changedItems.map((item) => (
                <li key={item.id}>
                  <ItemLink item={item} />
                </li>
              ))}
            </ul>
            {isOwn && changedItems.length > 0 && !isInProgress(run) && <UndoRun run={run} />}
          </>
        )}
      </QueryContent>
    </div>
  )
}
