import { Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import type { Input, Output } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { Timezone } from '../shared/Timezone.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

type QuietHoursValues = NonNullable<Output<'get_notification_preferences'>['quiet_hours']>
const texts = t.accounts.notifications

/** Hours without mail notifications. */
export function QuietHours({
  stored,
  onSave,
}: {
  stored: QuietHoursValues | null
  onSave: (change: Input<'update_notification_preferences'>) => Promise<boolean>
}) {
  const { person } = useSignedIn()
  const [values, setValues] = useState<QuietHoursValues>(
    stored ?? { from: '22:00', to: '07:00', timezone: person.timezone, except_incidents: true },
  )
  const [isEnabled, setEnabled] = useState(stored !== null)
  const [isBusy, setBusy] = useState(false)
  const toggle = (isChecked: boolean) => {
    setEnabled(isChecked)
    if (!isChecked && stored !== null)
      void onSave({ quiet_hours: null }).then((isDone) => isDone || setEnabled(true))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    void onSave({ quiet_hours: values }).finally(() => setBusy(false))
  }
  return (
    <SettingsSection title={texts.quiet} description={texts.quietText}>
      <Switch
        label={texts.quietOn}
        checked={isEnabled}
        onChange={(event) => toggle(event.currentTarget.checked)}
      />
      {isEnabled && (
        <form onSubmit={submit}>
          <Stack>
            <Group align="flex-start">
              <TextInput
                type="time"
                label={texts.from}
                value={values.from}
                onChange={(event) => setValues({ ...values, from: event.currentTarget.value })}
                required
              />
              <TextInput
                type="time"
                label={texts.to}
                value={values.to}
                onChange={(event) => setValues({ ...values, to: event.currentTarget.value })}
                required
              />
              <Timezone
                flex="1 1 12rem"
                label={t.accounts.profile.timezone}
                value={values.timezone}
                onChange={(timezone) => setValues({ ...values, timezone })}
              />
            </Group>
            <Checkbox
              label={texts.exceptIncidents}
              checked={values.except_incidents}
              onChange={(event) =>
                setValues({ ...values, except_incidents: event.currentTarget.checked })
              }
            />
            <SaveRow isBusy={isBusy} />
          </Stack>
        </form>
      )}
    </SettingsSection>
  )
}
