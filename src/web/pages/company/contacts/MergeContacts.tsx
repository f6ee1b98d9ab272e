import { useState } from 'react'
import type { Input, Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { table, write } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { pickNone, setCursor } from '../../../ui/work/table/selection.ts'
import planning from '../../planning/planning.module.css'
import type { ContactRow } from './data.ts'
import styles from './contacts.module.css'

interface MergeProps {
  /** The contacts to merge; closed while there are fewer than two. */
  ids: readonly string[]
  close: () => void
  /** Called with the remaining contact after the merge. */
  onMerged?: (id: string) => void
}

/** Shows which values win before contacts are merged, and allows choosing others. */
export function MergeContacts({ ids, close, onMerged }: MergeProps) {
  const rows = ids.flatMap((id) => table('contact').get(id) ?? [])
  return (
    <Dialog isOpen={rows.length > 1} close={close} title={words.merge.title(rows.length)} isWide>
      <MergeForm rows={rows} close={close} onMerged={onMerged} />
    </Dialog>
  )
}

type Preview = Output<'merge_contacts'>
type Preferred = NonNullable<Input<'merge_contacts'>['prefer']>

function MergeForm({ rows, close, onMerged }: Omit<MergeProps, 'ids'> & { rows: ContactRow[] }) {
  const [keptId, setKeptId] = useState(rows[0]?.id ?? '')
  const [prefer, setPrefer] = useState<Preferred>({})
  const input: Input<'merge_contacts'> = {
    contact_id: keptId,
    duplicate_ids: rows.filter(({ id }) => id !== keptId).map(({ id }) => id),
    prefer,
  }
  const preview = useOperation('merge_contacts', { ...input, dry_run: true })
  const merge = async () => {
    close()
    pickNone()
    const remaining = rows.find(({ id }) => id === keptId)
    const written = await write('merge_contacts', input, {
      rows: [
        { type: 'contact', id: keptId, set: {} },
        ...input.duplicate_ids.map((id) => ({
          type: 'contact' as const,
          id,
          remove: true as const,
        })),
      ],
      text: words.merge.done(remaining?.name ?? ''),
    })
    if (written.state !== 'done') return
    setCursor(keptId)
    onMerged?.(keptId)
  }
  return (
    <form
      className={planning.form}
      onSubmit={(event) => {
        event.preventDefault()
        void merge()
      }}
    >
      <fieldset className={planning.choices}>
        <legend>{words.merge.keep}</legend>
        {rows.map(({ id, name, emails }, n) => (
          <button
            key={id}
            type="button"
            className={planning.button}
            data-autofocus={n === 0 || undefined}
            aria-pressed={id === keptId}
            onClick={() => setKeptId(id)}
            dir="auto"
          >
            {[name, emails[0]].filter((part) => part !== undefined).join(' · ')}
          </button>
        ))}
      </fieldset>
      <p className={planning.note}>{words.merge.about}</p>
      <QueryContent query={preview}>
        {(preview) => (
          <>
            <Fields
              preview={preview}
              rows={rows}
              prefer={(field, id) => setPrefer({ ...prefer, [field]: id })}
            />
            {preview.moved.interactions + preview.moved.deals > 0 && (
              <p className={planning.note}>
                {words.merge.moved(preview.moved.interactions, preview.moved.deals)}
              </p>
            )}
          </>
        )}
      </QueryContent>
      <button type="submit" className={planning.primary} disabled={!preview.data}>
        {words.merge.action}
      </button>
    </form>
  )
}

interface FieldsProps {
  preview: Preview
  rows: readonly ContactRow[]
  prefer: (field: Preview['fields'][number]['field'], id: string) => void
}

/** Fields of the merged contact, and the values that would be lost. */
function Fields({ preview, rows, prefer }: FieldsProps) {
  const { merge } = words
  return (
    <table className={styles.merge}>
      <thead>
        <tr>
          <th scope="col">{merge.field}</th>
          <th scope="col">{merge.result}</th>
          <th scope="col">{merge.from}</th>
          <th scope="col">{merge.lost}</th>
        </tr>
      </thead>
      <tbody>
        {preview.fields.map(({ field, value, from, lost }) => (
          <tr key={field}>
            <th scope="row">{merge.names[field]}</th>
            <td dir="auto">{valueText(value)}</td>
            <td>
              {from && lost.length > 0 ? (
                <select
                  aria-label={`${merge.names[field]}: ${merge.from}`}
                  value={from.id}
                  onChange={(event) => prefer(field, event.currentTarget.value)}
                >
                  {rows
                    .filter(({ id }) => id === from.id || lost.some((l) => l.contact.id === id))
                    .map(({ id, name, emails }) => (
                      <option key={id} value={id}>
                        {[name, emails[0]].filter((part) => part !== undefined).join(' · ')}
                      </option>
                    ))}
                </select>
              ) : (
                <span dir="auto">{from?.title ?? merge.combined}</span>
              )}
            </td>
            <td className={styles.lost} dir="auto">
              {lost.map((item) => valueText(item.value)).join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A value of any type in words; references by title. */
function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return words.merge.nothing
  if (Array.isArray(value))
    return value.length === 0 ? words.merge.nothing : value.map(valueText).join(', ')
  if (typeof value !== 'object') return String(value)
  if ('title' in value) return String(value.title)
  return Object.entries(value)
    .map(([name, entry]) => `${name}: ${valueText(entry)}`)
    .join(', ')
}
