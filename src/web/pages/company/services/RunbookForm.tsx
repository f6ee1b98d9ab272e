import { useState, type FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { incidentTexts } from '../../../texts/en/company/incidents.ts'
import { serviceTexts } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import planning from '../../planning/planning.module.css'
import { CheckboxGroup } from '../Ticks.tsx'
import { newStep, StepFields, type StepDraft } from './StepFields.tsx'

export type Runbook = Output<'list_runbooks'>['items'][number]
type Severity = Runbook['severities'][number]

const { runbook: words } = serviceTexts
const severities = ['sev1', 'sev2', 'sev3', 'sev4'] as const

interface RunbookFormProps {
  /** The runbook to edit; undefined: creates one. */
  runbook: Runbook | undefined
  close: () => void
}

interface Draft {
  name: string
  services: readonly string[]
  severities: readonly Severity[]
  page: string
  steps: readonly StepDraft[]
}

async function saveRunbook(runbook: Runbook | undefined, draft: Draft): Promise<void> {
  const { page } = draft
  const name = draft.name.trim()
  const common = {
    name,
    service_ids: [...draft.services],
    severity: [...draft.severities],
    steps: draft.steps.map(({ title, text, minutes }) => ({
      title: title.trim(),
      body_markdown: text,
      ...(minutes !== '' && { minutes: Number(minutes) }),
    })),
  }
  if (runbook)
    await write(
      'update_runbook',
      {
        runbook_id: runbook.id,
        ...common,
        page_id: page === '' ? null : page,
        expected_revision: runbook.revision,
      },
      { text: t.tasks.changed(name, serviceTexts.changed) },
    )
  else
    await write(
      'create_runbook',
      { ...common, ...(page !== '' && { page_id: page }) },
      { text: serviceTexts.created(name) },
    )
  await invalidateOperations('list_runbooks')
}

/** Creates or edits a runbook. */
export function RunbookForm({ runbook, close }: RunbookFormProps) {
  const services = useList('list_services', { limit: 100 }).items
  const [draft, setDraft] = useState<Draft>(() => ({
    name: runbook?.name ?? '',
    services: runbook?.services.map(({ id }) => id) ?? [],
    severities: runbook?.severities ?? [],
    page: runbook?.page?.id ?? '',
    steps: runbook?.steps.map(newStep) ?? [newStep()],
  }))
  const change = (patch: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...patch }))
  const isComplete =
    draft.name.trim() !== '' && draft.steps.every(({ title }) => title.trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    close()
    void saveRunbook(runbook, draft)
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
      <StepFields steps={draft.steps} set={(steps) => change({ steps })} />
      <CheckboxGroup
        legend={words.services}
        options={services.map(({ id, name }) => ({ value: id, label: name }))}
        checkedValues={draft.services}
        onChange={(ticked) => change({ services: ticked })}
      />
      <CheckboxGroup<Severity>
        legend={words.severities}
        options={severities.map((value) => ({ value, label: incidentTexts.severities[value] }))}
        checkedValues={draft.severities}
        onChange={(ticked) => change({ severities: ticked })}
      />
      <PageField page={draft.page} set={(page) => change({ page })} />
      <button type="submit" className={planning.primary} disabled={!isComplete}>
        {runbook ? serviceTexts.save : serviceTexts.create}
      </button>
    </form>
  )
}

function PageField({ page, set }: { page: string; set: (page: string) => void }) {
  const pages = useList('list_pages', { kind: 'runbook', limit: 100 }).items
  return (
    <label>
      {words.page}
      <select value={page} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{words.noPage}</option>
        {page !== '' && pages.every(({ id }) => id !== page) && (
          <option value={page}>{page}</option>
        )}
        {pages.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
