import { IconPencil } from '@tabler/icons-react'
import { useState, type KeyboardEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Face } from '../../../ui/work/Who.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import { useProjects } from '../../tasks/data/lists.ts'
import planning from '../planning.module.css'
import { GoalProgress } from './GoalProgress.tsx'
import styles from './goals.module.css'
import { EditKeyResult, NewKeyResult } from './KeyResultForm.tsx'
import { isOpenGoal, resultValue } from './states.tsx'
import type { GoalRow, KeyResult } from './tree.ts'
import { checkIn } from './update.ts'

/** Key results of a goal. Manual values are edited in place, which is a check-in. */
export function KeyResults({ goal }: { goal: GoalRow }) {
  const [isOpen, setOpen] = useState(false)
  const results = goal.key_results.toSorted((a, b) => Number(a.retired) - Number(b.retired))
  return (
    <section className={planning.section}>
      <h2>
        {t.planning.goal.keyResults}
        {isOpenGoal(goal) && (
          <button
            type="button"
            className={planning.button}
            data-plain
            onClick={() => setOpen(true)}
          >
            {t.planning.goal.addResult}
          </button>
        )}
      </h2>
      {results.length === 0 && <p className={planning.quiet}>{t.planning.goal.noResults}</p>}
      <ul className={planning.rows}>
        {results.map((result) => (
          <li key={result.id}>
            <LinkTarget id={result.id}>
              <ResultLine goal={goal} result={result} />
            </LinkTarget>
          </li>
        ))}
      </ul>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={t.planning.goal.addResult}>
        <NewKeyResult goal={goal} close={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

interface ResultProps {
  goal: GoalRow
  result: KeyResult
}

function ResultLine({ goal, result }: ResultProps) {
  const [isOpen, setOpen] = useState(false)
  const canEnter = goal.status === 'active' && result.source.kind === 'manual' && !result.retired
  const { goal: texts } = t.planning
  return (
    <div className={styles.result} data-retired={result.retired || undefined}>
      <span className={styles.resultTitle} dir="auto">
        {result.title}
        <Source result={result} />
      </span>
      <span className={styles.values}>
        {canEnter ? (
          <ValueInput goal={goal} result={result} />
        ) : (
          <span>{resultValue(result, result.current_value)}</span>
        )}
        {result.metric !== 'boolean' && (
          <span className={planning.note}>
            {texts.of(resultValue(result, result.target_value))}
          </span>
        )}
      </span>
      <GoalProgress percent={result.progress} />
      <Face
        id={result.owner.id}
        name={result.owner.title}
        label={texts.ownedBy(result.owner.title)}
      />
      {isOpenGoal(goal) && (
        <button
          type="button"
          className={planning.button}
          data-plain
          aria-label={texts.editResult(result.title)}
          title={texts.editResult(result.title)}
          onClick={() => setOpen(true)}
        >
          <IconPencil size={15} stroke={1.7} aria-hidden />
        </button>
      )}
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={texts.editResult(result.title)}>
        <EditKeyResult goal={goal} result={result} close={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

/** Source of a value, as far as it is visible, with links to the items that are counted. */
function Source({ result: { source, retired, stale } }: { result: KeyResult }) {
  const projects = useProjects()
  const { goal: texts } = t.planning
  const project = projects.find(({ id }) => id === source.params.project_id)
  return (
    <span className={planning.note}>
      {retired && texts.retired}
      {!retired && source.kind === 'tasks' && project && (
        <AppLink to={`/tasks?project=${project.key}&status=done`}>
          {texts.countedIn(texts.measures[source.params.measure ?? 'tasks'] ?? '', project.name)}
        </AppLink>
      )}
      {!retired && source.kind === 'tasks' && !project && texts.counted.tasks}
      {!retired &&
        (source.kind === 'deals' || source.kind === 'form') &&
        texts.counted[source.kind]}
      {stale && <span className={styles.stale}> {stale.reason}</span>}
    </span>
  )
}

/** The value of a key result, edited in place: Enter saves it, Escape reverts it. */
function ValueInput({ goal, result }: ResultProps) {
  const [typedText, setTypedText] = useState<string>()
  const storedText = String(result.current_value)
  const label = t.planning.goal.valueOf(result.title)
  if (result.metric === 'boolean')
    return (
      <input
        type="checkbox"
        checked={result.current_value >= 1}
        aria-label={label}
        onChange={(event) =>
          void checkIn(goal, { values: { [result.id]: event.currentTarget.checked ? 1 : 0 } })
        }
      />
    )
  const value = Number((typedText ?? storedText).trim().replace(',', '.'))
  const isValid = Number.isFinite(value) && typedText?.trim() !== ''
  const save = () => {
    if (typedText !== undefined && isValid && value !== result.current_value)
      void checkIn(goal, { values: { [result.id]: value } })
    if (isValid) setTypedText(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') setTypedText(undefined)
    else if (event.key === 'Enter') save()
    else return
    event.preventDefault()
  }
  return (
    <input
      className={styles.value}
      value={typedText ?? storedText}
      inputMode="decimal"
      aria-label={label}
      aria-invalid={!isValid}
      maxLength={20}
      onChange={(event) => setTypedText(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  )
}
