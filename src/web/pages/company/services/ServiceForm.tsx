import { useState, type FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { serviceTexts } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import planning from '../../planning/planning.module.css'
import { CheckboxGroup } from '../Ticks.tsx'
import incidents from '../incidents/incidents.module.css'

export type Service = Output<'list_services'>['items'][number]

const { service: words } = serviceTexts

interface ServiceFormProps {
  /** The service to edit; undefined: registers one. */
  service: Service | undefined
  others: readonly Service[]
  close: () => void
}

function useServiceDraft(service: Service | undefined) {
  const [draft, setDraft] = useState({
    name: service?.name ?? '',
    about: service?.description ?? '',
    team: service?.team?.id ?? '',
    schedule: service?.schedule?.id ?? '',
    dependencyIds: service?.depends_on.map(({ id }) => id) ?? [],
    isPublic: service?.public ?? false,
  })
  const change = (patch: Partial<typeof draft>) =>
    setDraft((previous) => ({ ...previous, ...patch }))
  return { draft, change }
}

type Draft = ReturnType<typeof useServiceDraft>['draft']

async function saveService(service: Service | undefined, draft: Draft): Promise<void> {
  const { name, about, team, schedule, dependencyIds, isPublic } = draft
  const common = { name: name.trim(), depends_on_ids: [...dependencyIds], public: isPublic }
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
  await invalidateOperations('list_services')
}

/** Registers or edits a service. */
export function ServiceForm({ service, others, close }: ServiceFormProps) {
  const { draft, change } = useServiceDraft(service)
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
      <OwnershipFields draft={draft} change={change} />
      <CheckboxGroup
        legend={words.dependsOn}
        options={others
          .filter(({ id }) => id !== service?.id)
          .map(({ id, name }) => ({ value: id, label: name }))}
        checkedValues={draft.dependencyIds}
        onChange={(needs) => change({ dependencyIds: [...needs] })}
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
  change: (patch: Partial<Draft>) => void
}

function OwnershipFields({ draft, change }: OwnersProps) {
  const teams = useList('list_teams', { limit: 100 }).items
  const schedules = useList('list_on_call_schedules', { limit: 100 }).items
  const lists = [
    { field: 'team', label: words.team, none: words.noTeam, options: teams },
    { field: 'schedule', label: words.schedule, none: words.noSchedule, options: schedules },
  ] as const
  return (
    <div className={planning.pair}>
      {lists.map(({ field, label, none, options }) => (
        <label key={field}>
          {label}
          <select
            value={draft[field]}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          >
            <option value="">{none}</option>
            {options.map(({ id, name }) => (
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
