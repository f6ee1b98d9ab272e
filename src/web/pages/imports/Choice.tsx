interface ChoiceProps<T extends string> {
  label: string
  value: T
  names: Readonly<Record<T, string>>
  choose: (value: T) => void
}

/** A choice between a few options, by name. */
export function Choice<T extends string>({ label, value, names, choose }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => choose(event.currentTarget.value as T)}>
        {(Object.entries(names) as [T, string][]).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
