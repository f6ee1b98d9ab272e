import { useState, type FormEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { useProjects } from '../../tasks/data/lists.ts'
import planning from '../planning.module.css'
import type { GoalRow, KeyResult } from './tree.ts'
import { createResult, updateResult } from './update.ts'

const metrics = ['number', 'percent', 'currency', 'boolean'] as const
type Metric = (typeof metrics)[number]

const numberIn = (text: string) => Number(text.trim().replace(',', '.'))
const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(numberIn(text))

interface FormProps {
  goal: GoalRow
  close: () => void
}

/** Adds a key result: with manual values, or computed from the completed tasks of a project. */
export function NewKeyResult({ goal, close }: FormProps) {
  const projects = useProjects()
  const { goal: words } = t.planning
  const [title, setTitle] = useState('')
  const [metric, setMetric] = useState<Metric>('number')
  const [start, setStart] = useState('0')
  const [target, setTarget] = useState('')
  const [unit, setUnit] = useState('')
  const [project, setProject] = useState('')
  const canCount = metric === 'number' || metric === 'percent'
  const hasRange = metric !== 'boolean'
  const isReady =
    title.trim() !== '' &&
    (!hasRange || (isNumber(start) && isNumber(target))) &&
    (metric !== 'currency' || unit.trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void createResult(goal, {
      title: title.trim(),
      metric,
      target_value: hasRange ? numberIn(target) : 1,
      ...(hasRange && { start_value: numberIn(start) }),
      ...(unit.trim() !== '' && metric !== 'percent' && hasRange && { unit: unit.trim() }),
      ...(project !== '' &&
        canCount && { source: { kind: 'tasks', params: { project_id: project } } }),
    })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <TextField label={words.resultTitle} value={title} set={setTitle} isFirst />
      <div className={planning.pair}>
        <label>
          {words.metric}
          <select
            value={metric}
            onChange={(event) => setMetric(event.currentTarget.value as Metric)}
          >
            {metrics.map((name) => (
              <option key={name} value={name}>
                {words.metrics[name]}
              </option>
            ))}
          </select>
        </label>
        {(metric === 'number' || metric === 'currency') && (
          <TextField
            label={metric === 'currency' ? words.currency : words.unit}
            value={unit}
            set={setUnit}
          />
        )}
      </div>
      {hasRange && (
        <div className={planning.pair}>
          <TextField label={words.from} value={start} set={setStart} isNumeric />
          <TextField label={words.target} value={target} set={setTarget} isNumeric />
        </div>
      )}
      {canCount && (
        <label>
          {words.source}
          <select value={project} onChange={(event) => setProject(event.currentTarget.value)}>
            <option value="">{words.byHand}</option>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {words.fromProject(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className={planning.primary} disabled={!isReady}>
        {words.addResult}
      </button>
    </form>
  )
}

/** Changes the name and target of a key result, or retires it. */
export function EditKeyResult({ goal, result, close }: FormProps & { result: KeyResult }) {
  const { goal: words } = t.planning
  const [title, setTitle] = useState(result.title)
  const [target, setTarget] = useState(String(result.target_value))
  const hasTarget = result.metric !== 'boolean'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void updateResult(goal, result, {
      title: title.trim(),
      ...(hasTarget && { target_value: numberIn(target) }),
    })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <TextField label={words.resultTitle} value={title} set={setTitle} isFirst />
      {hasTarget && <TextField label={words.target} value={target} set={setTarget} isNumeric />}
      <div className={planning.choices}>
        <button
          type="submit"
          className={planning.primary}
          disabled={title.trim() === '' || (hasTarget && !isNumber(target))}
        >
          {t.app.save}
        </button>
        <button
          type="button"
          className={planning.button}
          onClick={() => {
            void updateResult(goal, result, { retired: !result.retired })
            close()
          }}
        >
          {result.retired ? words.restore : words.retire}
        </button>
      </div>
    </form>
  )
}

interface TextFieldProps {
  label: string
  value: string
  set: (value: string) => void
  isNumeric?: boolean
  isFirst?: boolean
}

function TextField({ label, value, set, isNumeric = false, isFirst = false }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        data-autofocus={isFirst || undefined}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
        inputMode={isNumeric ? 'decimal' : 'text'}
        maxLength={isNumeric ? 20 : 500}
        dir="auto"
      />
    </label>
  )
}
