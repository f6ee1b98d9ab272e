import { useState, type FormEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { useProjects } from '../../tasks/data/lists.ts'
import planning from '../planning.module.css'
import type { GoalRow, KeyResult } from './tree.ts'
import { createResult, updateResult } from './update.ts'

const metrics = ['number', 'percent', 'currency', 'boolean'] as const
type Metric = (typeof metrics)[number]

const parseNumber = (text: string) => Number(text.trim().replace(',', '.'))
const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(parseNumber(text))

interface FormProps {
  goal: GoalRow
  close: () => void
}

/** Adds a key result: with manual values, or computed from the completed tasks of a project. */
export function NewKeyResult({ goal, close }: FormProps) {
  const projects = useProjects()
  const { goal: texts } = t.planning
  const [title, setTitle] = useState('')
  const [metric, setMetric] = useState<Metric>('number')
  const [start, setStart] = useState('0')
  const [target, setTarget] = useState('')
  const [unit, setUnit] = useState('')
  const [projectId, setProjectId] = useState('')
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
      target_value: hasRange ? parseNumber(target) : 1,
      ...(hasRange && { start_value: parseNumber(start) }),
      ...(unit.trim() !== '' && metric !== 'percent' && hasRange && { unit: unit.trim() }),
      ...(projectId !== '' &&
        canCount && { source: { kind: 'tasks', params: { project_id: projectId } } }),
    })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <TextField label={texts.resultTitle} value={title} onChange={setTitle} isFirst />
      <div className={planning.pair}>
        <label>
          {texts.metric}
          <select
            value={metric}
            onChange={(event) => setMetric(event.currentTarget.value as Metric)}
          >
            {metrics.map((name) => (
              <option key={name} value={name}>
                {texts.metrics[name]}
              </option>
            ))}
          </select>
        </label>
        {(metric === 'number' || metric === 'currency') && (
          <TextField
            label={metric === 'currency' ? texts.currency : texts.unit}
            value={unit}
            onChange={setUnit}
          />
        )}
      </div>
      {hasRange && (
        <div className={planning.pair}>
          <TextField label={texts.from} value={start} onChange={setStart} isNumeric />
          <TextField label={texts.target} value={target} onChange={setTarget} isNumeric />
        </div>
      )}
      {canCount && (
        <label>
          {texts.source}
          <select value={projectId} onChange={(event) => setProjectId(event.currentTarget.value)}>
            <option value="">{texts.byHand}</option>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {texts.fromProject(name)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className={planning.primary} disabled={!isReady}>
        {texts.addResult}
      </button>
    </form>
  )
}

/** Changes the name and target of a key result, or retires it. */
export function EditKeyResult({ goal, result, close }: FormProps & { result: KeyResult }) {
  const { goal: texts } = t.planning
  const [title, setTitle] = useState(result.title)
  const [target, setTarget] = useState(String(result.target_value))
  const hasTarget = result.metric !== 'boolean'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void updateResult(goal, result, {
      title: title.trim(),
      ...(hasTarget && { target_value: parseNumber(target) }),
    })
    close()
  }
  return (
    <form className={planning.form} onSubmit={submit}>
      <TextField label={texts.resultTitle} value={title} onChange={setTitle} isFirst />
      {hasTarget && (
        <TextField label={texts.target} value={target} onChange={setTarget} isNumeric />
      )}
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
          {result.retired ? texts.restore : texts.retire}
        </button>
      </div>
    </form>
  )
}

interface TextFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  isNumeric?: boolean
  isFirst?: boolean
}

function TextField({ label, value, onChange, isNumeric = false, isFirst = false }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        data-autofocus={isFirst || undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        inputMode={isNumeric ? 'decimal' : 'text'}
        maxLength={isNumeric ? 20 : 500}
        dir="auto"
      />
    </label>
  )
}
