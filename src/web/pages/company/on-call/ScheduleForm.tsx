import { useState, type FormEvent } from 'react'
import { useList } from '../../../api/queries.ts'
import { useMe } from '../../../session/session.ts'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import planning from '../../planning/planning.module.css'
import { saveSchedule, type Schedule } from './data.ts'
import { layersOf, newLayer, layerInput, type LayerDraft } from './layers.ts'
import { LayerFields } from './LayerFields.tsx'
import styles from './on-call.module.css'

const { form } = words

interface ScheduleFormProps {
  /** The schedule to edit; undefined: creates one. */
  schedule: Schedule | undefined
  close: () => void
}

interface Draft {
  name: string
  timezone: string
  team: string
  minutes: number
  layers: readonly LayerDraft[]
}

/** Creates or edits a schedule: its people, the length of their turns, and the handover time. */
export function ScheduleForm({ schedule, close }: ScheduleFormProps) {
  const me = useMe()
  const [draft, setDraft] = useState<Draft>(() => ({
    name: schedule?.name ?? '',
    timezone: schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    team: schedule?.team?.id ?? '',
    minutes: schedule?.escalation_minutes ?? 15,
    layers: schedule ? layersOf(schedule) : [newLayer([{ id: me.id, name: me.title }], 1)],
  }))
  const change = (patch: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...patch }))
  const { name, layers } = draft
  const isComplete = name.trim() !== '' && layers.every(({ people }) => people.length > 0)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isSaved = await saveSchedule(schedule, {
      name: name.trim(),
      timezone: draft.timezone,
      escalation_minutes: draft.minutes,
      layers: layers.map(layerInput),
      ...(draft.team !== '' && { team_id: draft.team }),
    })
    if (isSaved) close()
  }
  return (
    <form className={planning.form} onSubmit={(event) => void submit(event)}>
      <label>
        {form.name}
        <input
          data-autofocus
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <Settings draft={draft} change={change} />
      <Layers layers={layers} set={(next) => change({ layers: next })} />
      <button type="submit" className={planning.primary} disabled={!isComplete}>
        {schedule ? form.save : form.create}
      </button>
    </form>
  )
}

interface SettingsProps {
  draft: Draft
  change: (patch: Partial<Draft>) => void
}

function Settings({ draft, change }: SettingsProps) {
  const teams = useList('list_teams', { limit: 100 }).items
  return (
    <>
      <div className={planning.pair}>
        <label>
          {form.timezone}
          <input
            list="on-call-zones"
            value={draft.timezone}
            onChange={(event) => change({ timezone: event.currentTarget.value })}
            required
            maxLength={100}
          />
          <datalist id="on-call-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </label>
        <label>
          {form.team}
          <select
            value={draft.team}
            onChange={(event) => change({ team: event.currentTarget.value })}
          >
            <option value="">{form.noTeam}</option>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label>
        {form.escalation}
        <input
          type="number"
          min={1}
          max={1440}
          value={draft.minutes}
          onChange={(event) => change({ minutes: Number(event.currentTarget.value) })}
          required
        />
      </label>
    </>
  )
}

interface LayersProps {
  layers: readonly LayerDraft[]
  set: (layers: readonly LayerDraft[]) => void
}

function Layers({ layers, set }: LayersProps) {
  return (
    <fieldset className={styles.layers}>
      <legend>{form.layers}</legend>
      {layers.map((layer, n) => (
        <LayerFields
          key={layer.key}
          layer={layer}
          number={n + 1}
          change={(next) => set(layers.map((other) => (other.key === layer.key ? next : other)))}
          remove={
            layers.length > 1
              ? () => set(layers.filter((other) => other.key !== layer.key))
              : undefined
          }
        />
      ))}
      <button
        type="button"
        className={planning.button}
        disabled={layers.length >= 20}
        onClick={() => set([...layers, newLayer([], Math.min(10, layers.length + 1))])}
      >
        {form.addLayer}
      </button>
    </fieldset>
  )
}
