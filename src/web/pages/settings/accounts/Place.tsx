import { Fieldset, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { settingsTexts as t } from '../texts.ts'

export interface ServerValues {
  host: string
  port: string
  tls: 'tls' | 'start'
}

export function ServerFields({
  label,
  value,
  onChange,
  errors,
  name,
}: {
  label: string
  value: ServerValues
  onChange: (server: ServerValues) => void
  errors: Record<string, string>
  name: 'imap' | 'smtp'
}) {
  const set = (changes: Partial<ServerValues>) => onChange({ ...value, ...changes })
  return (
    <Fieldset legend={label} p="sm">
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="3 1 12rem"
          label={t.accounts.wizard.host}
          value={value.host}
          onChange={(event) => set({ host: event.currentTarget.value })}
          error={errors[`${name}.host`] ?? errors[name]}
          autoComplete="off"
        />
        <NumberInput
          flex="1 1 5rem"
          label={t.accounts.wizard.port}
          value={value.port}
          onChange={(port) => set({ port: String(port) })}
          error={errors[`${name}.port`]}
          min={1}
          max={65535}
          allowDecimal={false}
          hideControls
        />
        <NativeSelect
          flex="1 1 8rem"
          label={t.accounts.wizard.tls}
          value={value.tls}
          onChange={(event) => set({ tls: event.currentTarget.value as ServerValues['tls'] })}
          data={[
            { value: 'tls', label: t.accounts.wizard.tlsDirect },
            { value: 'start', label: t.accounts.wizard.tlsStart },
          ]}
        />
      </Group>
    </Fieldset>
  )
}
