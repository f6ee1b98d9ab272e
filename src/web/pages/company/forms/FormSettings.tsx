import { useState, type FormEvent } from 'react'
import type { Input } from '../../../api/client.ts'
import { readOperationAgain } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import planning from '../../planning/planning.module.css'
import incidents from '../incidents/incidents.module.css'
import { localMoment, momentOf } from '../moments.ts'
import { DestinationFields, destinationOf, type DestinationDraft } from './DestinationFields.tsx'
import type { FullForm } from './fields.ts'
import styles from './forms.module.css'

const { settings: words, audiences } = formTexts
type Settings = FullForm['settings']

/** Who may answer a form, until when, who sees the answers, and what becomes of them. */
export function FormSettings({ form }: { form: FullForm }) {
  const [settings, setSettings] = useState(() => draftOf(form.settings))
  const [destination, setDestination] = useState<DestinationDraft>(() => ({
    kind: form.destination?.kind ?? 'none',
    mapping: Object.fromEntries(
      Object.entries(form.destination?.mapping ?? {}).map(([name, value]) => [name, String(value)]),
    ),
  }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    await write(
      'update_form',
      {
        form_id: form.id,
        settings: sentSettings(settings),
        destination: destinationOf(destination),
        expected_revision: form.revision,
      },
      { text: t.tasks.changed(form.title, words.saved) },
    )
    await readOperationAgain('get_form')
  }
  return (
    <form className={`${planning.form} ${styles.settings}`} onSubmit={(event) => void save(event)}>
      <SettingFields
        settings={settings}
        set={(part) => setSettings((before) => ({ ...before, ...part }))}
      />
      <DestinationFields form={form} destination={destination} set={setDestination} />
      <button type="submit" className={planning.primary}>
        {words.save}
      </button>
    </form>
  )
}

const draftOf = (settings: Settings) => ({
  audience: settings.audience,
  closes: settings.closes_at === undefined ? '' : localMoment(settings.closes_at),
  limit: settings.response_limit === undefined ? '' : String(settings.response_limit),
  visible: settings.responses_visible_to,
  thanks: settings.thank_you ?? '',
  captcha: settings.captcha,
})

type Draft = ReturnType<typeof draftOf>

const sentSettings = (draft: Draft): NonNullable<Input<'update_form'>['settings']> => ({
  audience: draft.audience,
  closes_at: momentOf(draft.closes) ?? null,
  response_limit: draft.limit === '' ? null : Number(draft.limit),
  responses_visible_to: draft.visible,
  thank_you: draft.thanks.trim() === '' ? null : draft.thanks.trim(),
  captcha: draft.captcha,
})

interface SettingFieldsProps {
  settings: Draft
  set: (part: Partial<Draft>) => void
}

function SettingFields({ settings, set }: SettingFieldsProps) {
  return (
    <>
      <div className={planning.pair}>
        <label>
          {words.audience}
          <select
            value={settings.audience}
            onChange={(event) => set({ audience: event.currentTarget.value as Draft['audience'] })}
          >
            <option value="organization">{audiences.organization}</option>
            <option value="public">{audiences.public}</option>
          </select>
        </label>
        <label>
          {words.visible}
          <select
            value={settings.visible}
            onChange={(event) => set({ visible: event.currentTarget.value as Draft['visible'] })}
          >
            <option value="owner_only">{words.visibles.owner_only}</option>
            <option value="organization">{words.visibles.organization}</option>
          </select>
        </label>
      </div>
      <div className={planning.pair}>
        <label>
          {words.closes}
          <input
            type="datetime-local"
            value={settings.closes}
            onChange={(event) => set({ closes: event.currentTarget.value })}
          />
        </label>
        <label>
          {words.limit}
          <input
            type="number"
            min={1}
            max={1_000_000}
            value={settings.limit}
            onChange={(event) => set({ limit: event.currentTarget.value })}
          />
        </label>
      </div>
      <label>
        {words.thanks}
        <textarea
          value={settings.thanks}
          onChange={(event) => set({ thanks: event.currentTarget.value })}
          rows={2}
          maxLength={5000}
          dir="auto"
        />
      </label>
      <label className={incidents.tick}>
        <input
          type="checkbox"
          checked={settings.captcha}
          onChange={(event) => set({ captcha: event.currentTarget.checked })}
        />
        {words.captcha}
      </label>
    </>
  )
}
