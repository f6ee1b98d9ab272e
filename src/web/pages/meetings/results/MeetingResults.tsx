import { useCallback, useState } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { resultTexts as words } from '../../../texts/en/company/meeting-results.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import type { FullMeeting } from '../data.ts'
import { ActionForm } from './ActionForm.tsx'
import { ActionRows, MakeTasks, usePickedActions } from './ActionRows.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { DecisionRows } from './DecisionRows.tsx'
import { ImportForm } from './ImportForm.tsx'
import type { SaidLine } from './proof.ts'
import { Transcript } from './Transcript.tsx'
import { useTranscript } from './useTranscript.ts'

interface Opened {
  what: 'decision' | 'action' | 'import'
  line?: SaidLine | undefined
}

export function MeetingResults({ meeting }: { meeting: FullMeeting }) {
  const transcript = useTranscript(meeting)
  const actions = usePickedActions(meeting.action_items)
  const [opened, setOpened] = useState<Opened>()
  const { lines } = transcript
  useCommands({
    'meeting.decision': () => setOpened({ what: 'decision', line: lineAtFocus(lines) }),
    'meeting.action': () => setOpened({ what: 'action', line: lineAtFocus(lines) }),
    'meeting.import': () => setOpened({ what: 'import' }),
  })
  const decide = useCallback(() => void runCommand('meeting.decision'), [])
  const act = useCallback(() => void runCommand('meeting.action'), [])
  const { decisions, action_items: items } = meeting
  const hasTranscript = meeting.transcript.exists
  return (
    <>
      <section className={planning.section}>
        <h2>
          {words.decisions.title}
          <CommandButton command="meeting.decision" label={words.decisions.add} />
        </h2>
        {decisions.length === 0 && <p className={planning.quiet}>{words.decisions.none}</p>}
        <DecisionRows decisions={decisions} />
      </section>
      <section className={planning.section}>
        <h2>
          {words.actions.title}
          <CommandButton command="meeting.action" label={words.actions.add} />
        </h2>
        {items.length === 0 && <p className={planning.quiet}>{words.actions.none}</p>}
        <ActionRows items={items} actions={actions} />
        {items.length > 0 && <MakeTasks actions={actions} />}
      </section>
      <section className={planning.section}>
        <h2>
          {words.transcript.title}
          <CommandButton
            command="meeting.import"
            label={hasTranscript ? words.transcript.replace : words.transcript.import}
          />
        </h2>
        {hasTranscript ? (
          <Transcript meeting={meeting} transcript={transcript} decide={decide} act={act} />
        ) : (
          <p className={planning.quiet}>{words.transcript.none}</p>
        )}
      </section>
      <OpenedForm meeting={meeting} opened={opened} close={() => setOpened(undefined)} />
    </>
  )
}

/** The line that contains the focus. */
function lineAtFocus(lines: readonly SaidLine[]): SaidLine | undefined {
  const line = document.activeElement?.closest<HTMLElement>('[data-line]')
  return line?.dataset.line === undefined ? undefined : lines[Number(line.dataset.line)]
}

interface CommandButtonProps {
  command: CommandId
  label: string
}

function CommandButton({ command, label }: CommandButtonProps) {
  return (
    <button
      type="button"
      className={planning.button}
      data-plain
      onClick={() => runCommand(command)}
    >
      {label} <KeyCombo command={command} />
    </button>
  )
}

interface OpenedFormProps {
  meeting: FullMeeting
  opened: Opened | undefined
  close: () => void
}

function OpenedForm({ meeting, opened, close }: OpenedFormProps) {
  if (!opened) return null
  const { what, line } = opened
  if (what === 'import')
    return (
      <Dialog isOpen close={close} title={words.transcript.import} isWide>
        <ImportForm meeting={meeting} close={close} />
      </Dialog>
    )
  const Form = what === 'decision' ? DecisionForm : ActionForm
  const title = what === 'decision' ? words.decisions.add : words.actions.add
  return (
    <Dialog isOpen close={close} title={title} isWide>
      <Form meeting={meeting} line={line} close={close} />
    </Dialog>
  )
}
