import { useState, type FormEvent } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { useSignedIn } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { dayOf } from '../../../ui/work/days.ts'
import planning from '../planning.module.css'
import { periodsAround, type GoalRow } from './tree.ts'
import { createGoal } from './update.ts'

interface NewGoalProps {
  isOpen: boolean
  close: () => void
  /** The parent goal, for a subgoal. */
  parent?: GoalRow | undefined
}

const levels = ['organization', 'team', 'personal'] as const

/** The form for a new goal. */
export function NewGoal({ isOpen, close, parent }: NewGoalProps) {
  return (
    <Dialog isOpen={isOpen} close={close} title={t.planning.goal.create}>
      <GoalForm close={close} parent={parent} />
    </Dialog>
  )
}

function GoalForm({ close, parent }: Omit<NewGoalProps, 'isOpen'>) {
  const { person } = useSignedIn()
  const teams = useOperation('list_teams', { limit: 100 }).data?.items ?? []
  const periods = [...new Set([...(parent ? [parent.period] : []), ...periodsAround(dayOf())])]
  const [title, setTitle] = useState('')
  const [period, setPeriod] = useState(periods[0] ?? '')
  const [level, setLevel] = useState<GoalRow['level']>(parent?.level ?? 'organization')
  const [selectedTeamId, setSelectedTeamId] = useState(parent?.team?.id ?? '')
  const teamId = selectedTeamId === '' ? teams[0]?.id : selectedTeamId
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void createGoal({
      input: {
        title: title.trim(),
        period,
        level,
        ...(level === 'team' && teamId !== undefined && { team_id: teamId }),
        ...(parent && { parent_id: parent.id }),
      },
      owner: { id: person.id, title: person.name },
      parent,
    })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {t.planning.goal.title}
        <input
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          required
          maxLength={500}
          dir="auto"
        />
      </label>
      <div className={planning.pair}>
        <label>
          {t.planning.goal.period}
          <select value={period} onChange={(event) => setPeriod(event.currentTarget.value)}>
            {periods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          {t.planning.goal.level}
          <select
            value={level}
            onChange={(event) => setLevel(event.currentTarget.value as GoalRow['level'])}
          >
            {levels
              .filter((name) => name !== 'team' || teams.length > 0)
              .map((name) => (
                <option key={name} value={name}>
                  {t.planning.goal.levels[name]}
                </option>
              ))}
          </select>
        </label>
      </div>
      {level === 'team' && (
        <label>
          {t.planning.fields.team}
          <select value={teamId} onChange={(event) => setSelectedTeamId(event.currentTarget.value)}>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className={planning.primary} disabled={title.trim() === ''}>
        {t.planning.create}
      </button>
    </form>
  )
}
