import { useId } from 'react'
import { formTexts } from '../../../texts/en/company/forms.ts'
import { Markdown } from '../../../ui/Markdown.tsx'
import planning from '../../planning/planning.module.css'
import { optionsOf, type FieldDraft } from './fields.ts'
import styles from './forms.module.css'
import { conditionSentence } from './sentences.ts'

const { preview: words } = formTexts
const maxRadioOptions = 7

interface FormPreviewProps {
  title: string
  about: string | undefined
  fields: readonly FieldDraft[]
}

/** A preview of the form. Entered text is discarded. */
export function FormPreview({ title, about, fields }: FormPreviewProps) {
  return (
    <section className={styles.preview} aria-label={words.title} data-preview>
      <p className={planning.note}>{words.title}</p>
      <h2 className={styles.previewTitle} dir="auto">
        {title}
      </h2>
      {about !== undefined && <Markdown text={about} parentLevel={2} />}
      {fields.map((field, n) => (
        <PreviewedField
          key={field.key}
          field={field}
          condition={conditionSentence(field, fields.slice(0, n))}
        />
      ))}
      <span className={styles.send} aria-hidden>
        {words.send}
      </span>
    </section>
  )
}

interface PreviewedFieldProps {
  field: FieldDraft
  condition: string
}

function PreviewedField({ field, condition }: PreviewedFieldProps) {
  const id = useId()
  const help = [field.help.trim(), typeHelp(field)].filter((part) => part !== '').join(' ')
  const head = (
    <>
      <span dir="auto">{field.label}</span>
      {field.required && <span className={styles.required}> {words.required}</span>}
    </>
  )
  const choices = previewChoicesOf(field)
  return (
    <div className={styles.asked} data-if={condition !== '' || undefined}>
      {condition !== '' && <p className={styles.only}>{condition}</p>}
      {choices ? (
        <fieldset>
          <legend>{head}</legend>
          {help !== '' && <p className={styles.help}>{help}</p>}
          <div className={choices.length > maxRadioOptions ? styles.scale : styles.choices}>
            {choices.map((choice) => (
              <label key={choice}>
                <input
                  type={field.type === 'multi_select' ? 'checkbox' : 'radio'}
                  name={field.key}
                />
                <span dir="auto">{choice}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : (
        <label htmlFor={id}>
          {head}
          {help !== '' && <span className={styles.help}>{help}</span>}
          <Input field={field} id={id} />
        </label>
      )}
    </div>
  )
}

const inputTypes: Readonly<Partial<Record<FieldDraft['type'], string>>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
  file: 'file',
}

function Input({ field, id }: { field: FieldDraft; id: string }) {
  if (field.type === 'long_text') return <textarea id={id} rows={4} />
  if (field.type === 'select')
    return (
      <select id={id}>
        <option>{words.choose}</option>
        {optionsOf(field).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    )
  return <input id={id} type={inputTypes[field.type] ?? 'text'} />
}

function typeHelp({ type, max }: FieldDraft): string {
  if (type === 'nps') return words.nps
  return type === 'rating' ? words.rating(Number(max) || 5) : ''
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => String(from + n))

/** Choices of a question, if the page shows all of them. */
function previewChoicesOf(field: FieldDraft): readonly string[] | undefined {
  const { type, max } = field
  if (type === 'yes_no') return [words.yes, words.no]
  if (type === 'nps') return numbers(0, 10)
  if (type === 'rating') return numbers(1, Math.min(10, Number(max) || 5))
  const options = optionsOf(field)
  if (type === 'multi_select' || (type === 'select' && options.length <= maxRadioOptions))
    return options
  return undefined
}
