import incidents from './incidents/incidents.module.css'

interface TicksProps<V extends string> {
  legend: string
  options: readonly { value: V; label: string }[]
  ticked: readonly V[]
  set: (ticked: readonly V[]) => void
}

/** A few options with checkboxes. */
export function Ticks<V extends string>({ legend, options, ticked, set }: TicksProps<V>) {
  if (options.length === 0) return null
  const toggle = (value: V) =>
    set(ticked.includes(value) ? ticked.filter((other) => other !== value) : [...ticked, value])
  return (
    <fieldset className={incidents.ticks}>
      <legend>{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value} className={incidents.tick}>
          <input type="checkbox" checked={ticked.includes(value)} onChange={() => toggle(value)} />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
