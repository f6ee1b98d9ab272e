import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Input } from '../../api/client.ts'
import { meetingTexts } from '../../texts/en/company/meetings.ts'
import { toLocalDateTime, isoOfLocal } from '../company/moments.ts'
import { nonEmptyLines } from '../../ui/work/lines.ts'
import planning from '../planning/planning.module.css'
import {
  agendaLines,
  createMeeting,
  participantLine,
  updateMeeting,
  type FullMeeting,
} from './data.ts'
import { PlanFields, SelectField, TimeFields, type MeetingDraft } from './PlanFields.tsx'

const { form: words } = meetingTexts
const visibilities = ['participants', 'project', 'organization'] as const

function meetingDraftOf(meeting: FullMeeting | undefined): MeetingDraft {
  return {
    title: meeting?.title ?? '',
    kind: meeting?.kind ?? 'meeting',
    project: meeting?.project?.id ?? '',
    starts: meeting?.starts_at === undefined ? '' : toLocalDateTime(meeting.starts_at),
    ends: meeting?.ends_at === undefined ? '' : toLocalDateTime(meeting.ends_at),
    participants: meeting?.participants.map(participantLine).join('\n') ?? '',
    agenda: meeting ? agendaLines(meeting.agenda).join('\n') : '',
    visibility: meeting?.visibility ?? 'participants',
  }
}

function newMeeting(draft: MeetingDraft): Input<'create_meeting'> {
  const starts_at = isoOfLocal(draft.starts)
  const ends_at = isoOfLocal(draft.ends)
  return {
    title: draft.title.trim(),
    kind: draft.kind,
    visibility: draft.visibility,
    participants: nonEmptyLines(draft.participants),
    agenda: nonEmptyLines(draft.agenda),
    ...(starts_at !== undefined && { starts_at }),
    ...(ends_at !== undefined && { ends_at }),
    ...(draft.project !== '' && { project_id: draft.project }),
  }
}

function meetingChangesOf(before: MeetingDraft, draft: MeetingDraft) {
  return {
    ...(draft.title !== before.title && { title: draft.title.trim() }),
    ...(draft.visibility !== before.visibility && { visibility: draft.visibility }),
    ...(draft.participants !== before.participants && {
      participants: nonEmptyLines(draft.participants),
    }),
    ...(draft.agenda !== before.agenda && { agenda: nonEmptyLines(draft.agenda) }),
    ...timeChanges(before, draft),
  }
}

/** Both times of the form, if one was changed; an empty field leaves a time unchanged. */
function timeChanges(before: MeetingDraft, draft: MeetingDraft) {
  if (draft.starts === before.starts && draft.ends === before.ends) return {}
  const [starts_at, ends_at] = [isoOfLocal(draft.starts), isoOfLocal(draft.ends)]
  return {
    ...(starts_at !== undefined && { starts_at }),
    ...(ends_at !== undefined && { ends_at }),
  }
}

/** The time of a meeting with an event is changed in the calendar. */
function isMovable(meeting: FullMeeting): boolean {
  return meeting.status === 'planned' && meeting.event === undefined
}

interface MeetingFormProps {
  /** The meeting to edit; undefined: creates one and opens its page. */
  meeting: FullMeeting | undefined
  close: () => void
}

/** Creates or edits a meeting. */
export function MeetingForm({ meeting, close }: MeetingFormProps) {
  const navigate = useNavigate()
  const [initialDraft] = useState(() => meetingDraftOf(meeting))
  const [draft, setDraft] = useState(initialDraft)
  const change = (patch: Partial<MeetingDraft>) =>
    setDraft((previous) => ({ ...previous, ...patch }))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    close()
    if (meeting) return updateMeeting(meeting, meetingChangesOf(initialDraft, draft))
    const created = await createMeeting(newMeeting(draft))
    if (created) void navigate({ to: `/meetings/${created.id}` })
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={draft.title}
          onChange={(event) => change({ title: event.currentTarget.value })}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      {!meeting && <PlanFields draft={draft} change={change} />}
      {meeting && isMovable(meeting) && <TimeFields draft={draft} change={change} />}
      <LinesField
        label={words.participants}
        hint={words.participantsHint}
        text={draft.participants}
        set={(participants) => change({ participants })}
      />
      <LinesField
        label={words.agenda}
        hint={words.agendaHint}
        text={draft.agenda}
        set={(agenda) => change({ agenda })}
      />
      <SelectField
        label={words.readers}
        value={draft.visibility}
        options={visibilities
          .filter((value) => value !== 'project' || draft.project !== '')
          .map((value) => ({ value, label: words.visibilities[value] }))}
        set={(visibility) => change({ visibility })}
      />
      <button type="submit" className={planning.primary} disabled={draft.title.trim() === ''}>
        {meeting ? words.save : meetingTexts.create}
      </button>
    </form>
  )
}

interface LinesFieldProps {
  label: string
  hint: string
  text: string
  set: (text: string) => void
}

function LinesField({ label, hint, text, set }: LinesFieldProps) {
  return (
    <label>
      {label}
      <textarea
        value={text}
        onChange={(event) => set(event.currentTarget.value)}
        rows={3}
        maxLength={100_000}
        dir="auto"
      />
      <span className={planning.note}>{hint}</span>
    </label>
  )
}
