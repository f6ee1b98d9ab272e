import { useNavigate, useParams } from '@tanstack/react-router'
import { useDocumentTitle } from '@mantine/hooks'
import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands, type CommandHandlers } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import { pulseTexts as words } from '../../../texts/en/company/pulses.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Loaded, isMissing } from '../../items/Found.tsx'
import { ItemFrame } from '../../items/Frame.tsx'
import { History } from '../../items/History.tsx'
import planning from '../../planning/planning.module.css'
import { deletePulse, updatePulse, type PulseData } from './data.ts'
import { OpenRound } from './OpenRound.tsx'
import { PulseForm } from './PulseForm.tsx'
import { PulseReport } from './PulseReport.tsx'
import { PulseState } from './Pulses.tsx'
import styles from './pulses.module.css'
import { describeSchedule } from './schedule.ts'

/** A pulse: its questions and schedule, the open round, and the report of each round. */
export function PulsePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const pulseQuery = useOperation('get_item', { item_id: id })
  const title = pulseQuery.data?.title
  useDocumentTitle(title === undefined ? t.app.name : `${title} – ${t.app.name}`)
  // Trashed items are shown by their history.
  if (isMissing(pulseQuery.error)) return <History />
  return (
    <Loaded query={pulseQuery}>
      {(answer) => {
        const pulse = answer.item as PulseData
        return (
          <ItemFrame
            type="pulse"
            title={pulse.name}
            item={pulse}
            id={pulse.id}
            status={<PulseState pulse={pulse} />}
          >
            <PulseActions pulse={pulse} />
            <PulseFacts pulse={pulse} />
            <OpenRound key={pulse.open_round?.on} pulse={pulse} />
            <PulseReport pulse={pulse} />
          </ItemFrame>
        )
      }}
    </Loaded>
  )
}

function PulseActions({ pulse }: { pulse: PulseData }) {
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const { name, active } = pulse
  const remove = async () => {
    if (await deletePulse(pulse)) void navigate({ to: '/pulses' })
  }
  const runs: CommandHandlers = {
    'pulse.edit': () => setEditing(true),
    'pulse.turn': () =>
      void updatePulse(pulse, { active: !active }, active ? words.paused : words.resumed),
    'pulse.delete': () => void remove(),
  }
  useCommands({ ...runs, 'list.back': () => void navigate({ to: '/pulses' }) })
  const buttons = [
    ...(pulse.open_round ? [['pulse.answer', words.actions.answer] as const] : []),
    ['pulse.edit', words.actions.edit],
    ['pulse.turn', active ? words.actions.pause : words.actions.resume],
    ['pulse.delete', words.actions.remove],
  ] as const
  return (
    <div className={styles.line}>
      {buttons.map(([command, text]) => (
        <button
          key={command}
          type="button"
          className={
            command === 'pulse.answer' ? `${planning.primary} ${styles.send}` : planning.button
          }
          onClick={() => runCommand(command)}
        >
          {text} <KeyCombo command={command} />
        </button>
      ))}
      <Dialog
        isOpen={isEditing}
        close={() => setEditing(false)}
        title={words.form.title(name)}
        isWide
      >
        <PulseForm pulse={pulse} close={() => setEditing(false)} />
      </Dialog>
    </div>
  )
}

function PulseFacts({ pulse }: { pulse: PulseData }) {
  const { facts } = words
  return (
    <Facts
      facts={[
        [facts.team, <ItemLink key="team" item={pulse.team} />],
        [facts.schedule, `${describeSchedule(pulse.rrule)} (${pulse.timezone})`],
        [
          facts.how,
          [words.modes[pulse.mode], pulse.anonymous ? words.anonymous : '']
            .filter((part) => part !== '')
            .join(', '),
        ],
        [facts.next, pulse.next_at && formatMoment(pulse.next_at)],
        [facts.channel, pulse.channel && <ItemLink item={pulse.channel} />],
        [facts.rate, facts.rateOf(pulse.answer_rate)],
        [facts.problem, pulse.problem],
      ]}
    />
  )
}
