import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { useList } from '../../../api/queries.ts'
import { pulseTexts } from '../../../texts/en/company/pulses.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import incidents from '../../company/incidents/incidents.module.css'
import planning from '../../planning/planning.module.css'
import { SelectField } from '../PlanFields.tsx'
import { createPulse, updatePulse, type PulseData } from './data.ts'
import { QuestionFields } from './QuestionFields.tsx'
import {
  areComplete,
  firstQuestions,
  questionDrafts,
  questionInputs,
  type QuestionDraft,
} from './questions.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { scheduleOf, scheduleRule, defaultSchedule, type PulseSchedule } from './schedule.ts'

const { form: words, modes } = pulseTexts

interface PulseDraft {
  name: string
  team: string
  schedule: PulseSchedule
  zone: string
  mode: PulseData['mode']
  channel: string
  isAnonymous: boolean
  questions: readonly QuestionDraft[]
}

function pulseDraftOf(pulse: PulseData | undefined): PulseDraft {
  if (!pulse)
    return {
      name: '',
      team: '',
      schedule: defaultSchedule,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      mode: 'async',
      channel: '',
      isAnonymous: false,
      questions: firstQuestions(),
    }
  return {
    name: pulse.name,
    team: pulse.team.id,
    schedule: scheduleOf(pulse.rrule),
    zone: pulse.timezone,
    mode: pulse.mode,
    channel: pulse.channel?.id ?? '',
    isAnonymous: pulse.anonymous,
    questions: questionDrafts(pulse.questions),
  }
}

/** Saves the form; returns the id of the pulse, undefined if the server refused it. */
async function savePulse(
  pulse: PulseData | undefined,
  before: PulseDraft,
  draft: PulseDraft,
): Promise<string | undefined> {
  const { team, zone, mode, channel, isAnonymous } = draft
  const name = draft.name.trim()
  const rrule = scheduleRule(draft.schedule)
  const questions = questionInputs(draft.questions)
  if (!pulse) {
    const created = await createPulse({
      name,
      team_id: team,
      rrule,
      timezone: zone,
      mode,
      anonymous: isAnonymous && mode === 'async',
      questions,
      ...(channel !== '' && { channel_id: channel }),
    })
    return created?.id
  }
  const isDone = await updatePulse(pulse, {
    ...(name !== before.name && { name }),
    ...(draft.questions !== before.questions && { questions }),
    ...(rrule !== scheduleRule(before.schedule) && { rrule }),
    ...(zone !== before.zone && { timezone: zone }),
    ...(channel !== before.channel && { channel_id: channel === '' ? null : channel }),
  })
  return isDone ? pulse.id : undefined
}

interface PulseFormProps {
  /** The pulse to edit; undefined: creates one and opens its page. */
  pulse: PulseData | undefined
  close: () => void
}

const modeOptions = (['async', 'meeting'] as const).map((value) => ({
  value,
  label: modes[value],
}))

/** Creates or edits a pulse. Stays open if the server refuses the input. */
export function PulseForm({ pulse, close }: PulseFormProps) {
  const navigate = useNavigate()
  const [initialDraft] = useState(() => pulseDraftOf(pulse))
  const [draft, setDraft] = useState(initialDraft)
  const [isSending, setSending] = useState(false)
  const teams = useList('list_teams', { person_id: 'me', limit: 100 })
  const change = (patch: Partial<PulseDraft>) => setDraft((previous) => ({ ...previous, ...patch }))
  const team = draft.team === '' ? (teams.items[0]?.id ?? '') : draft.team
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const id = await savePulse(pulse, initialDraft, { ...draft, team })
    setSending(false)
    if (id === undefined) return
    close()
    if (!pulse) void navigate({ to: `/pulses/${id}` })
  }
  if (!pulse && teams.data !== undefined && teams.items.length === 0) return <NoTeam />
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          maxLength={200}
          autoComplete="off"
          dir="auto"
        />
      </label>
      {!pulse && (
        <div className={planning.pair}>
          <SelectField
            label={words.team}
            value={team}
            options={teams.items.map(({ id, name }) => ({ value: id, label: name }))}
            set={(next) => change({ team: next })}
          />
          <SelectField
            label={words.mode}
            value={draft.mode}
            options={modeOptions}
            set={(mode) => change({ mode })}
          />
        </div>
      )}
      <ScheduleFields
        schedule={draft.schedule}
        zone={draft.zone}
        set={(schedule) => change({ schedule })}
        setZone={(next) => change({ zone: next })}
      />
      <QuestionFields questions={draft.questions} set={(questions) => change({ questions })} />
      <ChannelField value={draft.channel} set={(channel) => change({ channel })} />
      {!pulse && draft.mode === 'async' && (
        <AnonymousField isSet={draft.isAnonymous} set={(isAnonymous) => change({ isAnonymous })} />
      )}
      <button
        type="submit"
        className={planning.primary}
        disabled={isSending || draft.name.trim() === '' || !areComplete(draft.questions)}
      >
        {pulse ? words.save : pulseTexts.create}
      </button>
    </form>
  )
}

function AnonymousField({ isSet, set }: { isSet: boolean; set: (isSet: boolean) => void }) {
  return (
    <label className={incidents.tick}>
      <input
        type="checkbox"
        checked={isSet}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {words.anonymous}
    </label>
  )
}

function NoTeam() {
  return (
    <>
      <p className={planning.quiet}>{words.noTeam}</p>
      <AppLink to="/settings/teams">{words.teams}</AppLink>
    </>
  )
}

function ChannelField({ value, set }: { value: string; set: (channel: string) => void }) {
  const channels = useList('list_channels', {
    kind: ['public', 'private'],
    joined: true,
    limit: 100,
  }).items
  return (
    <SelectField
      label={words.channel}
      value={value}
      options={[
        { value: '', label: words.noChannel },
        ...channels.map(({ id, name }) => ({ value: id, label: `#${name ?? ''}` })),
      ]}
      set={set}
    />
  )
}
