import incidents from './incidents/incidents.module.css'

interface CheckboxGroupProps<V extends string> {
  legend: string
  options: readonly { value: V; label: string }[]
  checkedValues: readonly V[]
  onChange: (ticked: readonly V[]) => void
}

/** A few options with checkboxes. */
export function CheckboxGroup<V extends string>({
  legend,
  options,
  checkedValues,
  onChange,
}: CheckboxGroupProps<V>) {
  if (options.length === 0) return null
  const toggle = (value: V) =>
    onChange(
      checkedValues.includes(value)
        ? checkedValues.filter((other) => other !== value)
        : [...checkedValues, value],
    )
  return (
    <fieldset className={incidents.ticks}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} className={incidents.tick}>
          <input
            type="checkbox"
            checked={checkedValues.includes(value)}
            onChange={() => toggle(value)}
          />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
