import { Select, type SelectProps } from '@mantine/core'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** A time zone of the IANA list. One unknown to this browser is kept. */
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
      data={zones.includes(value) ? zones : [value, ...zones]}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      searchable
      allowDeselect={false}
      limit={100}
    />
  )
}
