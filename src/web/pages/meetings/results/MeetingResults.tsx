import { useCallback, useState } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { resultTexts as words } from '../../../texts/en/company/meeting-results.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import planning from '../../planning/planning.module.css'
import type { FullMeeting } from '../data.ts'
import { ActionForm } from './ActionForm.tsx'
import { ActionRows, CreateTasksButton, usePickedActions } from './ActionRows.tsx'
import { DecisionForm } from './DecisionForm.tsx'
import { DecisionRows } from './DecisionRows.tsx'
import { ImportForm } from './ImportForm.tsx'
import type { TranscriptLine } from './proof.ts'
import { Transcript } from './Transcript.tsx'
import { useTranscript } from './useTranscript.ts'

interface OpenForm {
  kind: 'decision' | 'action' | 'import'
  line?: TranscriptLine | undefined
}

export function MeetingResults({ meeting }: { meeting: FullMeeting }) {
  const transcript = useTranscript(meeting)
  const actions = usePickedActions(meeting.action_items)
  const [openForm, setOpenForm] = useState<OpenForm>()
  const { lines } = transcript
  useCommands({
    'meeting.decision': () => setOpenForm({ kind: 'decision', line: lineAtFocus(lines) }),
    'meeting.action': () => setOpenForm({ kind: 'action', line: lineAtFocus(lines) }),
    'meeting.import': () => setOpenForm({ kind: 'import' }),
  })
  const decide = useCallback(() => void runCommand('meeting.decision'), [])
  const addAction = useCallback(() => void runCommand('meeting.action'), [])
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
        {items.length > 0 && <CreateTasksButton actions={actions} />}
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
          <Transcript meeting={meeting} transcript={transcript} decide={decide} act={addAction} />
        ) : (
          <p className={planning.quiet}>{words.transcript.none}</p>
        )}
      </section>
      <ResultDialog meeting={meeting} openForm={openForm} close={() => setOpenForm(undefined)} />
    </>
  )
}

/** The line that contains the focus. */
function lineAtFocus(lines: readonly TranscriptLine[]): TranscriptLine | undefined {
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

interface ResultDialogProps {
  meeting: FullMeeting
  openForm: OpenForm | undefined
  close: () => void
}

function ResultDialog({ meeting, openForm, close }: ResultDialogProps) {
  if (!openForm) return null
  const { kind, line } = openForm
  if (kind === 'import')
    return (
      <Dialog isOpen close={close} title={words.transcript.import} isWide>
        <ImportForm meeting={meeting} close={close} />
      </Dialog>
    )
  const Form = kind === 'decision' ? DecisionForm : ActionForm
  const title = kind === 'decision' ? words.decisions.add : words.actions.add
  return (
    <Dialog isOpen close={close} title={title} isWide>
      <Form meeting={meeting} line={line} close={close} />
    </Dialog>
  )
}
