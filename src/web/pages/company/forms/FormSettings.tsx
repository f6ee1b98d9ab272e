import { useRef, type FormEvent } from 'react'
import type { Input } from '../../../api/client.ts'
import { invalidateOperations } from '../../../api/queries.ts'
import { write } from '../../../store/index.ts'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { t } from '../../../texts/index.ts'
import { useDraft } from '../../../ui/work/kept-drafts.ts'
import planning from '../../planning/planning.module.css'
import incidents from '../incidents/incidents.module.css'
import { toLocalDateTime, isoOfLocal } from '../moments.ts'
import { DestinationFields, destinationOf, type DestinationDraft } from './DestinationFields.tsx'
import type { FullForm } from './fields.ts'
import styles from './forms.module.css'

const { settings: words, audiences } = formTexts
type Settings = FullForm['settings']

/** Unsaved changes. All other settings follow the form, including those that others save. */
interface UnsavedSettings {
  settings?: Partial<SettingsDraft>
  destination?: DestinationDraft
}

const noChanges = '{}'

/** Settings of a form: its respondents, closing date, readers of the responses, and destination. */
export function FormSettings({ form }: { form: FullForm }) {
  const [text, setText] = useDraft(`form settings ${form.id}`, noChanges)
  const latestText = useRef(text)
  const unsaved = JSON.parse(text) as UnsavedSettings
  const settings = { ...settingsDraftOf(form.settings), ...unsaved.settings }
  const destination = unsaved.destination ?? destinationDraft(form)
  const update = (next: string) => {
    latestText.current = next
    setText(next)
  }
  const change = (patch: UnsavedSettings) => update(JSON.stringify({ ...unsaved, ...patch }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const { state } = await write(
      'update_form',
      {
        form_id: form.id,
        settings: settingsInput(settings),
        destination: destinationOf(destination),
        expected_revision: form.revision,
      },
      { text: t.tasks.changed(form.title, words.saved) },
    )
    await invalidateOperations('get_form')
    if (state === 'done' && latestText.current === text) update(noChanges)
  }
  return (
    <form className={`${planning.form} ${styles.settings}`} onSubmit={(event) => void save(event)}>
      <SettingFields
        settings={settings}
        set={(part) => change({ settings: { ...unsaved.settings, ...part } })}
      />
      <DestinationFields
        form={form}
        destination={destination}
        set={(next) => change({ destination: next })}
      />
      <button type="submit" className={planning.primary}>
        {words.save}
      </button>
    </form>
  )
}

const settingsDraftOf = (settings: Settings) => ({
  audience: settings.audience,
  closes: settings.closes_at === undefined ? '' : toLocalDateTime(settings.closes_at),
  limit: settings.response_limit === undefined ? '' : String(settings.response_limit),
  visible: settings.responses_visible_to,
  thanks: settings.thank_you ?? '',
  captcha: settings.captcha,
})

type SettingsDraft = ReturnType<typeof settingsDraftOf>

const destinationDraft = ({ destination }: FullForm): DestinationDraft => ({
  kind: destination?.kind ?? 'none',
  mapping: Object.fromEntries(
    Object.entries(destination?.mapping ?? {}).map(([name, value]) => [name, String(value)]),
  ),
})

const settingsInput = (draft: SettingsDraft): NonNullable<Input<'update_form'>['settings']> => ({
  audience: draft.audience,
  closes_at: isoOfLocal(draft.closes) ?? null,
  response_limit: draft.limit === '' ? null : Number(draft.limit),
  responses_visible_to: draft.visible,
  thank_you: draft.thanks.trim() === '' ? null : draft.thanks.trim(),
  captcha: draft.captcha,
})

interface SettingFieldsProps {
  settings: SettingsDraft
  set: (patch: Partial<SettingsDraft>) => void
}

function SettingFields({ settings, set }: SettingFieldsProps) {
  return (
    <>
      <div className={planning.pair}>
        <label>
          {words.audience}
          <select
            value={settings.audience}
            onChange={(event) =>
              set({ audience: event.currentTarget.value as SettingsDraft['audience'] })
            }
          >
            <option value="organization">{audiences.organization}</option>
            <option value="public">{audiences.public}</option>
          </select>
        </label>
        <label>
          {words.visible}
          <select
            value={settings.visible}
            onChange={(event) =>
              set({ visible: event.currentTarget.value as SettingsDraft['visible'] })
            }
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
