import { Select, type SelectProps } from '@mantine/core'

const timezones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** A time zone of the IANA list. A stored one that this browser does not know is kept. */
export function Timezone({
  value,
  onChange,
  ...rest
}: Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string
  onChange: (zone: string) => void
}) {
  return (
    <Select
      {...rest}
      data={timezones.includes(value) ? timezones : [value, ...timezones]}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      searchable
      allowDeselect={false}
      limit={100}
    />
  )
}
