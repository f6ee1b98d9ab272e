import { useDocumentTitle } from '@mantine/hooks'
import { IconHeartbeat, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { pulseTexts as words } from '../../../texts/en/company/pulses.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import meetings from '../meetings.module.css'
import { MeetingTabs } from '../MeetingTabs.tsx'
import type { PulseData } from './data.ts'
import { PulseForm } from './PulseForm.tsx'
import styles from './pulses.module.css'
import { describeSchedule } from './schedule.ts'

/** The pulses of the reader's teams, with their numbers of answers and whether the reader should answer. */
export function Pulses() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [isCreating, setCreating] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const pulses = useList('list_pulses', { limit: 50 })
  useRowKeys(list)
  useCommands({ 'pulse.create': () => setCreating(true) })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <MeetingTabs />
        <button
          type="button"
          className={planning.primary}
          onClick={() => runCommand('pulse.create')}
        >
          <IconPlus size={15} stroke={2} aria-hidden />
          {words.create}
        </button>
      </header>
      <QueryContent query={pulses}>
        {() =>
          pulses.items.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconHeartbeat} {...words.empty} />
            </div>
          ) : (
            <ul ref={list} className={meetings.list}>
              {pulses.items.map((pulse) => (
                <PulseRow key={pulse.id} pulse={pulse} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={pulses} />
      <Dialog isOpen={isCreating} close={() => setCreating(false)} title={words.create} isWide>
        <PulseForm pulse={undefined} close={() => setCreating(false)} />
      </Dialog>
    </div>
  )
}

function PulseRow({ pulse }: { pulse: PulseData }) {
  const { id, name, team, rrule, open_round: round } = pulse
  return (
    <li className={meetings.row}>
      <AppLink to={`/pulses/${id}`} className={meetings.name} data-row dir="auto">
        {name}
      </AppLink>
      <PulseState pulse={pulse} />
      {round && (
        <span className={planning.note}>{words.answered(round.answered, round.expected)}</span>
      )}
      <span className={planning.note} dir="auto">
        {team.title}
      </span>
      <span className={planning.note}>{describeSchedule(rrule)}</span>
    </li>
  )
}

type PulseStateName = keyof typeof words.states

function pulseStateOf({ open_round: round, active }: PulseData): PulseStateName {
  if (round) return round.answered_by_me === false ? 'waiting' : 'open'
  return active ? 'idle' : 'paused'
}

/** Whether a pulse waits for the reader's answer, is open, or is inactive. */
export function PulseState({ pulse }: { pulse: PulseData }) {
  const state = pulseStateOf(pulse)
  return (
    <span className={styles.state} data-state={state}>
      {words.states[state]}
    </span>
  )
}
