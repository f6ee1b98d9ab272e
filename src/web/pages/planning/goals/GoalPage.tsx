import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { table, storeRows, useRow } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { AppLink, RouterLink } from '../../../ui/AppLink.tsx'
import { dayOf } from '../../../ui/work/days.ts'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import { Loaded } from '../../items/Found.tsx'
import { ItemLinks } from '../../items/links/ItemLinks.tsx'
import planning from '../planning.module.css'
import { CheckIns } from './CheckIns.tsx'
import { GoalProgress } from './GoalProgress.tsx'
import { GoalValues } from './GoalValues.tsx'
import styles from './goals.module.css'
import { KeyResults } from './KeyResults.tsx'
import { NewGoal } from './NewGoal.tsx'
import { GoalIcon } from './states.tsx'
import { elapsedPercent, type GoalRow } from './tree.ts'
import { goalText, removeGoal, updateGoal } from './update.ts'

type FullGoal = Output<'get_goal'>

/** The page of a goal: its key results, its progress, and its history. */
export function GoalPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const goalQuery = useOperation('get_goal', { goal_id: id })
  const goal = goalQuery.data
  useEffect(() => {
    if (goal) storeRows('goal', [goal])
  }, [goal])
  const row = useRow('goal', goal?.id ?? '') ?? goal
  useDocumentTitle(row ? `${row.title} – ${t.app.name}` : t.app.name)
  if (!goal || !row) return <Loaded query={goalQuery}>{() => null}</Loaded>
  return <GoalDetail goal={row} fullGoal={goal} />
}

function GoalDetail({ goal, fullGoal }: { goal: GoalRow; fullGoal: FullGoal }) {
  const navigate = useNavigate()
  const hasRoom = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const [isWriting, setWriting] = useState(false)
  const [isCreating, setCreating] = useState(false)
  useCommands({
    'goal.checkIn': goal.status === 'active' ? () => setWriting(true) : undefined,
    'plan.create': () => setCreating(true),
    'list.back': () => (isWriting ? setWriting(false) : void navigate({ to: '/goals' })),
  })
  return (
    <>
      <GoalHeader goal={goal} />
      <div className={planning.detail}>
        <div className={planning.content}>
          <TitleInput
            title={goal.title}
            label={t.planning.goal.title}
            save={(title) =>
              updateGoal(
                goal,
                { title },
                { set: { title }, description: t.planning.set.renamed(title) },
              )
            }
            mergeSource={{ revision: goal.revision, source: goalText(goal, 'title') }}
          />
          <ProgressSummary goal={goal} />
          {!hasRoom && <GoalValues goal={goal} />}
          <MarkdownInput
            saved={{ text: goal.description_markdown ?? '', revision: goal.revision }}
            source={goalText(goal, 'description_markdown')}
            label={t.planning.fields.description}
            add={t.planning.addDescription}
            draft={`description ${goal.id}`}
          />
          <KeyResults goal={goal} />
          <Subgoals goal={fullGoal} create={() => setCreating(true)} />
          <ItemLinks item={goal} />
          <CheckIns
            goal={goal}
            checkins={fullGoal.checkins}
            isWriting={isWriting}
            setWriting={setWriting}
          />
        </div>
        {hasRoom && (
          <aside className={planning.side} aria-label={t.planning.values}>
            <GoalValues goal={goal} />
          </aside>
        )}
      </div>
      <NewGoal isOpen={isCreating} close={() => setCreating(false)} parent={goal} />
    </>
  )
}

function GoalHeader({ goal }: { goal: GoalRow }) {
  const navigate = useNavigate()
  const remove = async () => {
    if ((await removeGoal(goal)) && !table('goal').has(goal.id)) void navigate({ to: '/goals' })
  }
  return (
    <header className={planning.bar}>
      <nav className={planning.crumb} aria-label={t.tasks.breadcrumb}>
        <AppLink to="/goals">{t.planning.goal.plural}</AppLink>
        <span aria-hidden>›</span>
        {goal.parent && (
          <>
            <AppLink to={`/goals/${goal.parent.id}`} dir="auto">
              {goal.parent.title}
            </AppLink>
            <span aria-hidden>›</span>
          </>
        )}
        <GoalIcon goal={goal} />
        <span>{goal.period}</span>
      </nav>
      <span className={planning.spring} />
      <button type="button" className={planning.button} data-plain onClick={() => void remove()}>
        {t.keys.commands['task.delete']}
      </button>
    </header>
  )
}

/** Progress of a goal, and the button that activates a draft. */
function ProgressSummary({ goal }: { goal: GoalRow }) {
  return (
    <div className={styles.standing}>
      <GoalProgress
        percent={goal.progress}
        elapsed={goal.status === 'active' ? elapsedPercent(goal.period, dayOf()) : undefined}
        isAtRisk={goal.at_risk}
        isWide
      />
      {goal.at_risk && <span className={styles.risk}>{t.planning.goal.atRisk}</span>}
      {goal.status === 'draft' && (
        <button
          type="button"
          className={planning.primary}
          onClick={() =>
            updateGoal(
              goal,
              { status: 'active' },
              { set: { status: 'active' }, description: t.planning.goal.become.active },
            )
          }
        >
          {t.planning.goal.activate}
        </button>
      )}
    </div>
  )
}

/** Subgoals. */
function Subgoals({ goal, create }: { goal: FullGoal; create: () => void }) {
  return (
    <section className={planning.section}>
      <h2>
        {t.planning.goal.children}
        <button type="button" className={planning.button} data-plain onClick={create}>
          {t.planning.goal.addBelow}
        </button>
      </h2>
      <ul className={planning.rows}>
        {goal.children.map((child) => (
          <li key={child.id}>
            <Subgoal id={child.id} title={child.title} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Subgoal({ id, title }: { id: string; title: string }) {
  const row = useRow('goal', id)
  return (
    <RouterLink to={`/goals/${id}`} className={planning.row}>
      {row && <GoalIcon goal={row} />}
      <span className={planning.name} dir="auto">
        {row?.title ?? title}
      </span>
      {row && <GoalProgress percent={row.progress} isAtRisk={row.at_risk} />}
    </RouterLink>
  )
}
