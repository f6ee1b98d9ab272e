import styles from './imports.module.css'

interface MapFieldsProps {
  legend: string
  fields: readonly { name: string; label: string; value: string }[]
  options: readonly { value: string; label: string }[]
  choose: (name: string, value: string) => void
}

/** Maps entries of a file to targets in the workspace. */
export function MapFields({ legend, fields, options, choose }: MapFieldsProps) {
  if (fields.length === 0) return null
  return (
    <fieldset className={styles.map}>
      <legend>{legend}</legend>
      {fields.map(({ name, label, value }) => (
        <label key={name}>
          <span dir="auto" title={label}>
            {label}
          </span>
          <select value={value} onChange={(event) => choose(name, event.currentTarget.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  )
}
