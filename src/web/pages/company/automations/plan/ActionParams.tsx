import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { automationTexts as words } from '../../../../texts/en/company/automations.ts'
import { filterChoices, Picker } from '../../../../ui/work/Picker.tsx'
import styles from '../automations.module.css'
import { ExpressionField } from './CompletedText.tsx'
import type { Completion } from './completion.ts'
import { paramFields, paramText, parseValue, type ParamField } from './fields.ts'
import { PickerButton } from '../../../../ui/actions/PickerButton.tsx'
import type { CatalogEntry } from './parts.ts'
import type { Action } from './plan.ts'

type Params = Action['params']

interface ActionParamsProps {
  definition: CatalogEntry
  /** Path of the parameters in the plan, as errors name it. */
  path: string
  params: Params
  change: (params: Params) => void
  names: readonly Completion[]
  /** Renders the actions nested in a control action. */
  nested: (
    name: string,
    actions: readonly Action[],
    set: (actions: readonly Action[]) => void,
  ) => ReactNode
}

/** Parameters of an action: required fields and those already set; others are added by name. */
export function ActionParams({
  definition,
  path,
  params,
  change,
  names,
  nested,
}: ActionParamsProps) {
  const [addedNames, setAddedNames] = useState<readonly string[]>([])
  const fields = paramFields(definition.type, definition.params ?? {})
  const isShown = ({ name, isRequired }: ParamField) =>
    isRequired || Object.hasOwn(params, name) || addedNames.includes(name)
  const hiddenFields = fields.filter((field) => !isShown(field))
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = params
    change(value === undefined ? rest : { ...params, [name]: value })
  }
  return (
    <>
      {fields.filter(isShown).map((field) =>
        field.kind === 'actions' ? (
          <div key={field.name} className={styles.nested}>
            <h4>{field.name === 'else' ? words.otherwise : words.then}</h4>
            {nested(field.name, (params[field.name] ?? []) as Action[], (inner) =>
              set(field.name, inner.length === 0 && !field.isRequired ? undefined : inner),
            )}
          </div>
        ) : (
          <ParamLine
            key={field.name}
            field={field}
            path={`${path}.${field.name}`}
            value={params[field.name]}
            set={(value) => set(field.name, value)}
            names={names}
            remove={
              field.isRequired
                ? undefined
                : () => {
                    setAddedNames(addedNames.filter((name) => name !== field.name))
                    set(field.name, undefined)
                  }
            }
          />
        ),
      )}
      <AddField fields={hiddenFields} add={(name) => setAddedNames([...addedNames, name])} />
    </>
  )
}

interface AddFieldProps {
  fields: readonly ParamField[]
  add: (name: string) => void
}

function AddField({ fields, add }: AddFieldProps) {
  if (fields.length === 0) return null
  return (
    <PickerButton
      className={styles.add}
      list={(anchor, close) => (
        <Picker
          anchor={anchor}
          label={words.findField}
          choices={(query) =>
            filterChoices(
              fields.map(({ name, about }) => ({
                value: name,
                label: words.fieldWord(name),
                hint: about,
              })),
              query,
            )
          }
          choose={add}
          close={close}
        />
      )}
    >
      <IconPlus size={14} aria-hidden />
      {words.addField}
    </PickerButton>
  )
}

interface ParamLineProps {
  field: ParamField
  path: string
  value: unknown
  set: (value: unknown) => void
  names: readonly Completion[]
  remove: (() => void) | undefined
}

function ParamLine({ field, path, value, set, names, remove }: ParamLineProps) {
  const hintId = useId()
  const label = words.fieldWord(field.name)
  return (
    <div className={styles.param}>
      <span className={styles.paramName}>
        {label}
        {field.isRequired && <em> {words.required}</em>}
      </span>
      <span className={styles.paramValue}>
        <ParamInput
          field={field}
          path={path}
          label={label}
          value={value}
          set={set}
          names={names}
          describedBy={field.about === undefined ? undefined : hintId}
        />
        {field.about && (
          <span className={styles.note} id={hintId}>
            {field.about}
          </span>
        )}
      </span>
      {remove && (
        <button
          type="button"
          className={styles.tool}
          aria-label={words.remove(label)}
          title={words.remove(label)}
          onClick={remove}
        >
          <IconX size={15} aria-hidden />
        </button>
      )}
    </div>
  )
}

interface ParamInputProps extends Omit<ParamLineProps, 'remove'> {
  label: string
  describedBy: string | undefined
}

function ParamInput({ field, path, label, value, set, names, describedBy }: ParamInputProps) {
  const { kind } = field
  const choices = kind === 'truth' ? ['true', 'false'] : field.choices
  const valueText = paramText(kind, value)
  if (choices.length > 0 && (valueText === '' || choices.includes(valueText)))
    return (
      <select
        className={styles.choice}
        value={valueText}
        onChange={(event) => set(parseValue(kind, event.currentTarget.value))}
        aria-label={label}
        aria-describedby={describedBy}
      >
        <option value="">{words.none}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {kind === 'truth' ? words.truths[choice as 'true'] : choice}
          </option>
        ))}
      </select>
    )
  if (kind === 'json') return <JsonInput {...{ label, text: valueText, set, describedBy }} />
  return (
    <ExpressionField
      label={label}
      path={path}
      value={valueText}
      change={(text) => set(parseInput(kind, text))}
      names={names}
      isTemplate={kind !== 'expression'}
      isLong={kind === 'longText' || kind === 'lines'}
      describedBy={describedBy}
      {...(kind === 'lines' && { placeholder: words.linesHint })}
    />
  )
}

/** Keeps empty lines while the user types. */
const parseInput = (kind: ParamField['kind'], text: string): unknown =>
  kind === 'lines' && text !== '' ? text.split('\n') : parseValue(kind, text)

interface JsonInputProps {
  label: string
  text: string
  set: (value: unknown) => void
  describedBy: string | undefined
}

function JsonInput({ label, text, set, describedBy }: JsonInputProps) {
  const [draft, setDraft] = useState<string>()
  const problemId = useId()
  const isInvalid = draft !== undefined && !isJson(draft)
  return (
    <>
      <textarea
        className={styles.text}
        data-code
        rows={3}
        value={draft ?? text}
        onChange={(event) => {
          setDraft(event.currentTarget.value)
          if (isJson(event.currentTarget.value)) set(parseValue('json', event.currentTarget.value))
        }}
        onBlur={() => !isInvalid && setDraft(undefined)}
        aria-label={label}
        aria-invalid={isInvalid}
        aria-describedby={isInvalid ? problemId : describedBy}
        maxLength={20_000}
      />
      {isInvalid && (
        <span className={styles.wrong} id={problemId} role="alert">
          {words.notJson}
        </span>
      )}
    </>
  )
}

function isJson(text: string): boolean {
  try {
    parseValue('json', text)
    return true
  } catch {
    return false
  }
}
