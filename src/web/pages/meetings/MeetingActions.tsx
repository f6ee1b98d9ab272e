import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { runCommand, useCommands, type CommandHandlers } from '../../keys/commands.ts'
import { KeyCombo } from '../../keys/KeyCombo.tsx'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import planning from '../planning/planning.module.css'
import { deleteMeeting, eraseTranscript, updateMeeting, type FullMeeting } from './data.ts'
import { MeetingForm } from './MeetingForm.tsx'
import styles from './meetings.module.css'

const nextStates = {
  planned: { to: 'live', label: words.actions.start },
  live: { to: 'ended', label: words.actions.end },
  ended: { to: 'live', label: words.actions.resume },
} as const

export function MeetingActions({ meeting }: { meeting: FullMeeting }) {
  const navigate = useNavigate()
  const [isEditing, setEditing] = useState(false)
  const { to: nextStatus, label } = nextStates[meeting.status]
  const remove = async () => {
    if (await deleteMeeting(meeting)) void navigate({ to: '/meetings' })
  }
  const erase = async () => {
    const { title, text, action } = words.erase
    if (await confirm({ title, text, action })) await eraseTranscript(meeting)
  }
  const runs: CommandHandlers = {
    'meeting.state': () =>
      void updateMeeting(meeting, { status: nextStatus }, words.become[nextStatus]),
    'meeting.edit': () => setEditing(true),
    'meeting.delete': () => void remove(),
    'meeting.erase': meeting.transcript.exists ? () => void erase() : undefined,
  }
  useCommands({ ...runs, 'list.back': () => void navigate({ to: '/meetings' }) })
  const buttons = [
    ['meeting.state', label],
    ['meeting.edit', words.actions.edit],
    ['meeting.delete', words.actions.remove],
    ['meeting.erase', words.actions.eraseTranscript],
  ] as const
  return (
    <div className={styles.actions}>
      {buttons
        .filter(([command]) => runs[command] !== undefined)
        .map(([command, text], n) => (
          <button
            key={command}
            type="button"
            className={n === 0 ? planning.primary : planning.button}
            onClick={() => runCommand(command)}
          >
            {text} <KeyCombo command={command} />
          </button>
        ))}
      <Dialog
        isOpen={isEditing}
        close={() => setEditing(false)}
        title={words.form.edit(meeting.title)}
        isWide
      >
        <MeetingForm meeting={meeting} close={() => setEditing(false)} />
      </Dialog>
    </div>
  )
}
