import { Radio, Stack } from '@mantine/core'
import type { SessionRole } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { roles } from './person.ts'

const texts = t.organization.people

export function RoleChoice({
  value,
  onChange,
  error,
}: {
  value: SessionRole
  onChange: (role: SessionRole) => void
  error?: string | undefined
}) {
  return (
    <Radio.Group
      label={texts.roleLabel}
      value={value}
      onChange={(role) => onChange(role as SessionRole)}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={texts.role[role]}
            description={texts.roleText[role]}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
