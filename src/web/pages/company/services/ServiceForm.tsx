import { useState, type FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { readOperationAgain, useList } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { serviceTexts } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import planning from '../../planning/planning.module.css'
import { Ticks } from '../Ticks.tsx'
import incidents from '../incidents/incidents.module.css'

export type Service = Output<'list_services'>['items'][number]

const { service: words } = serviceTexts

interface ServiceFormProps {
  /** The service to edit; undefined: registers one. */
  service: Service | undefined
  others: readonly Service[]
  close: () => void
}

function useDraft(service: Service | undefined) {
  const [draft, setDraft] = useState({
    name: service?.name ?? '',
    about: service?.description ?? '',
    team: service?.team?.id ?? '',
    schedule: service?.schedule?.id ?? '',
    needs: service?.depends_on.map(({ id }) => id) ?? [],
    isPublic: service?.public ?? false,
  })
  const change = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  return { draft, change }
}

type Draft = ReturnType<typeof useDraft>['draft']

async function saveService(service: Service | undefined, draft: Draft): Promise<void> {
  const { name, about, team, schedule, needs, isPublic } = draft
  const common = { name: name.trim(), depends_on_ids: [...needs], public: isPublic }
  if (service)
    await write(
      'update_service',
      {
        service_id: service.id,
        ...common,
        description: about.trim() === '' ? null : about.trim(),
        team_id: team === '' ? null : team,
        schedule_id: schedule === '' ? null : schedule,
        expected_revision: service.revision,
      },
      { text: t.tasks.changed(common.name, serviceTexts.changed) },
    )
  else
    await write(
      'create_service',
      {
        ...common,
        ...(about.trim() !== '' && { description: about.trim() }),
        ...(team !== '' && { team_id: team }),
        ...(schedule !== '' && { schedule_id: schedule }),
      },
      { text: serviceTexts.created(common.name) },
    )
  await readOperationAgain('list_services')
}

/** Registers or edits a service. */
export function ServiceForm({ service, others, close }: ServiceFormProps) {
  const { draft, change } = useDraft(service)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void saveService(service, draft)
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {words.name}
        <input
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          required
          maxLength={500}
          autoComplete="off"
          dir="auto"
        />
      </label>
      <label>
        {words.about}
        <input
          value={draft.about}
          onChange={(event) => change({ about: event.currentTarget.value })}
          maxLength={5000}
          dir="auto"
        />
      </label>
      <Owners draft={draft} change={change} />
      <Ticks
        legend={words.dependsOn}
        options={others
          .filter(({ id }) => id !== service?.id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        ticked={draft.needs}
        set={(needs) => change({ needs: [...needs] })}
      />
      <label className={incidents.tick}>
        <input
          type="checkbox"
          checked={draft.isPublic}
          onChange={(event) => change({ isPublic: event.currentTarget.checked })}
        />
        {words.public}
      </label>
      <button type="submit" className={planning.primary} disabled={draft.name.trim() === ''}>
        {service ? serviceTexts.save : serviceTexts.create}
      </button>
    </form>
  )
}

interface OwnersProps {
  draft: Draft
  change: (part: Partial<Draft>) => void
}

function Owners({ draft, change }: OwnersProps) {
  const teams = useList('list_teams', { limit: 100 }).items
  const schedules = useList('list_on_call_schedules', { limit: 100 }).items
  const lists = [
    { field: 'team', label: words.team, none: words.noTeam, of: teams },
    { field: 'schedule', label: words.schedule, none: words.noSchedule, of: schedules },
  ] as const
  return (
    <div className={planning.pair}>
      {lists.map(({ field, label, none, of }) => (
        <label key={field}>
          {label}
          <select
            value={draft[field]}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          >
            <option value="">{none}</option>
            {of.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  )
}
