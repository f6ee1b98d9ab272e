import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { write } from '../../../store/index.ts'
import { projectSettings } from '../../../texts/en/planning/project-settings.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { nonEmptyLines } from '../../../ui/work/lines.ts'
import { LinkTarget } from '../../items/Section.tsx'
import type { ProjectRow } from '../data.ts'
import planning from '../planning.module.css'
import { reloadProject } from './again.ts'
import styles from './settings.module.css'

const texts = projectSettings.fields

type Field = ProjectRow['custom_fields'][number]
type FieldType = Field['type']

const types = Object.keys(texts.types) as FieldType[]
const hasOptions = (type: FieldType) => type === 'select' || type === 'multi_select'

interface CustomFieldsProps {
  project: ProjectRow
  canEdit: boolean
}

/** The custom fields of a project. */
export function CustomFields({ project, canEdit }: CustomFieldsProps) {
  const [editedField, setEditedField] = useState<Field | 'new'>()
  const fields = project.custom_fields.toSorted((a, b) => Number(a.retired) - Number(b.retired))
  return (
    <section>
      <h2 className={styles.heading}>
        {texts.title}
        {canEdit && (
          <button type="button" className={planning.button} onClick={() => setEditedField('new')}>
            <IconPlus size={14} aria-hidden /> {texts.add}
          </button>
        )}
      </h2>
      <p className={styles.quiet}>{texts.text}</p>
      <ul className={styles.list}>
        {fields.map((field) => (
          <li key={field.id}>
            <LinkTarget id={field.id}>
              <div className={styles.line} data-retired={field.retired || undefined}>
                <span className={styles.name} dir="auto">
                  {field.name}
                </span>
                <span className={styles.quiet} dir="auto">
                  {describeField(field)}
                </span>
                <span className={styles.tool}>
                  {canEdit && (
                    <button
                      type="button"
                      className={styles.icon}
                      aria-label={texts.edit(field.name)}
                      onClick={() => setEditedField(field)}
                    >
                      <IconPencil size={15} aria-hidden />
                    </button>
                  )}
                </span>
              </div>
            </LinkTarget>
          </li>
        ))}
      </ul>
      <Dialog
        isOpen={editedField !== undefined}
        close={() => setEditedField(undefined)}
        title={
          editedField === undefined || editedField === 'new'
            ? texts.add
            : texts.edit(editedField.name)
        }
      >
        <FieldForm
          project={project}
          field={editedField === 'new' ? undefined : editedField}
          close={() => setEditedField(undefined)}
        />
      </Dialog>
    </section>
  )
}

function describeField({ type, options, required, retired }: Field): string {
  const parts = [
    texts.types[type],
    options.map(({ name }) => name).join(', '),
    required ? texts.isRequired : '',
    retired ? texts.retired : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

interface FieldFormProps {
  project: ProjectRow
  /** Undefined: a new one. */
  field: Field | undefined
  close: () => void
}

function FieldForm({ project, field, close }: FieldFormProps) {
  const [name, setName] = useState(field?.name ?? '')
  const [type, setType] = useState<FieldType>(field?.type ?? 'text')
  const [lines, setLines] = useState((field?.options ?? []).map((item) => item.name).join('\n'))
  const [isRequired, setRequired] = useState(field?.required ?? false)
  const options = [...new Set(nonEmptyLines(lines))]
  const isComplete = name.trim() !== '' && (!hasOptions(type) || options.length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const values = {
      name: name.trim(),
      required: isRequired,
      ...(hasOptions(type) && { options }),
    }
    void (field ? changeField(project, field, values) : addField(project, { ...values, type }))
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <label>
        {texts.name}
        <input
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={100}
          dir="auto"
        />
      </label>
      {!field && (
        <label>
          {texts.type}
          <select
            value={type}
            onChange={(event) => setType(event.currentTarget.value as FieldType)}
          >
            {types.map((value) => (
              <option key={value} value={value}>
                {texts.types[value]}
              </option>
            ))}
          </select>
        </label>
      )}
      {hasOptions(type) && (
        <label>
          {texts.options}
          <textarea
            rows={5}
            value={lines}
            onChange={(event) => setLines(event.currentTarget.value)}
            dir="auto"
          />
        </label>
      )}
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isRequired}
          onChange={(event) => setRequired(event.currentTarget.checked)}
        />
        {texts.required}
      </label>
      <div className={styles.buttons}>
        <button type="submit" className={planning.primary} disabled={!isComplete}>
          {field ? texts.save : texts.add}
        </button>
        {field && (
          <button
            type="button"
            className={planning.button}
            onClick={() => {
              void changeField(project, field, { retired: !field.retired })
              close()
            }}
          >
            {field.retired ? texts.restore : texts.retire}
          </button>
        )}
      </div>
    </form>
  )
}

interface FieldValues {
  name: string
  required: boolean
  options?: string[]
}

async function addField(
  project: ProjectRow,
  values: FieldValues & { type: FieldType },
): Promise<void> {
  await write(
    'create_custom_field',
    { project_id: project.id, ...values },
    { text: t.tasks.changed(project.key, texts.added(values.name)) },
  )
  await reloadProject(project.id)
}

async function changeField(
  project: ProjectRow,
  field: Field,
  change: Partial<FieldValues> & { retired?: boolean },
): Promise<void> {
  await write(
    'update_custom_field',
    { field_id: field.id, ...change },
    { text: t.tasks.changed(project.key, texts.changed(change.name ?? field.name)) },
  )
  await reloadProject(project.id)
}
