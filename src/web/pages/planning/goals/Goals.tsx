import { useDocumentTitle } from '@mantine/hooks'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState, type CSSProperties } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useSignedIn } from '../../../session/session.ts'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { dayOf } from '../../../ui/work/days.ts'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../planning.module.css'
import { GoalProgress } from './GoalProgress.tsx'
import styles from './goals.module.css'
import { NewGoal } from './NewGoal.tsx'
import { GoalIcon, isOpenGoal } from './states.tsx'
import { elapsedPercent, groupGoals, type GoalLine, type GoalRow } from './tree.ts'

const kinds = ['open', 'mine', 'risk', 'closed'] as const
type Kind = (typeof kinds)[number]

/** The visible goals by period, each with its subgoals. */
export function Goals() {
  useDocumentTitle(`${t.planning.goal.plural} – ${t.app.name}`)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { show } = useSearch({ strict: false }) as { show?: string }
  const kind = kinds.find((option) => option === show) ?? 'open'
  const navigate = useNavigate()
  const loading = useListedRows('goal', {})
  const goals = useGoalsOf(kind)
  const groups = useMemo(() => groupGoals(goals), [goals])
  useRowKeys(list)
  useCommands({ 'plan.create': () => setOpen(true) })
  const create = (
    <button type="button" className={planning.button} onClick={() => setOpen(true)}>
      {t.planning.goal.create}
    </button>
  )
  return (
    <>
      <header className={planning.bar}>
        <h1>{t.planning.goal.plural}</h1>
        <fieldset className={styles.kinds} aria-label={t.planning.goal.shown}>
          {kinds.map((name) => (
            <button
              key={name}
              type="button"
              className={planning.button}
              data-plain
              aria-pressed={name === kind}
              onClick={() =>
                void navigate({ to: '/goals', search: name === 'open' ? {} : { show: name } })
              }
            >
              {t.planning.goal.kinds[name]}
            </button>
          ))}
        </fieldset>
        <span className={planning.spring} />
        <button type="button" className={planning.primary} onClick={() => setOpen(true)}>
          <IconPlus size={15} stroke={2} aria-hidden />
          {t.planning.goal.create}
        </button>
      </header>
      <div ref={list} className={planning.table}>
        {loading.error && goals.length === 0 && (
          <Problem error={loading.error} retry={loading.retry} />
        )}
        {!loading.isLoaded && !loading.error && goals.length === 0 && <Loading />}
        {loading.isLoaded && goals.length === 0 && kind === 'open' && (
          <EmptyState icon={IconTargetArrow} {...t.planning.empty.goals} action={create} />
        )}
        {loading.isLoaded && goals.length === 0 && kind !== 'open' && (
          <EmptyState icon={IconTargetArrow} title={t.planning.goal.noneOf[kind]} />
        )}
        {groups.map(({ period, lines }) => (
          <section key={period}>
            <h2 className={planning.groupHead}>
              {period} <span>{lines.length}</span>
            </h2>
            <ul className={planning.rows}>
              {lines.map((line) => (
                <li key={line.goal.id}>
                  <GoalLineLink line={line} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <NewGoal isOpen={isOpen} close={() => setOpen(false)} />
    </>
  )
}

function useGoalsOf(kind: Kind): readonly GoalRow[] {
  const { person } = useSignedIn()
  const isOfKind = useCallback(
    (goal: GoalRow) => {
      if (kind === 'closed') return !isOpenGoal(goal)
      if (kind === 'risk') return goal.at_risk
      const isMine =
        goal.owner.id === person.id ||
        goal.key_results.some((result) => result.owner.id === person.id)
      return isOpenGoal(goal) && (kind === 'open' || isMine)
    },
    [kind, person.id],
  )
  return useAllRowsOf('goal', isOfKind)
}

function GoalLineLink({ line: { goal, depth } }: { line: GoalLine }) {
  const activeResultCount = goal.key_results.filter((result) => !result.retired).length
  return (
    <RouterLink
      to={`/goals/${goal.id}`}
      className={`${planning.row} ${styles.line}`}
      style={{ '--depth': Math.min(depth, 5) } as CSSProperties}
      data-row
    >
      <GoalIcon goal={goal} />
      <span className={planning.name} dir="auto">
        {goal.title}
      </span>
      {depth > 0 && <span className={planning.fact}>{goal.period}</span>}
      <span className={planning.fact} data-optional dir="auto">
        {goal.team?.title ?? t.planning.goal.levels[goal.level]}
      </span>
      <span className={planning.fact} data-optional>
        {t.planning.goal.results(activeResultCount)}
      </span>
      <GoalProgress
        percent={goal.progress}
        elapsed={goal.status === 'active' ? elapsedPercent(goal.period, dayOf()) : undefined}
        isAtRisk={goal.at_risk}
      />
      <Face
        id={goal.owner.id}
        name={goal.owner.title}
        label={t.planning.goal.ownedBy(goal.owner.title)}
      />
    </RouterLink>
  )
}
