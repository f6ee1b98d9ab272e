import { Switch } from '@mantine/core'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { Shown } from '../../../ui/states.tsx'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { Refused, useSending } from '../shared/sending.tsx'

const words = t.accounts.profile

/** Setting for whether others see what the person is viewing. */
export function PresenceSwitch() {
  const setting = useEndpoint('/web/presence')
  const change = usePost('/web/presence', ['/web/presence'])
  const sending = useSending()
  const set = (is_shown: boolean) =>
    void sending.send(async () => {
      await change.mutateAsync({ is_shown })
    })
  return (
    <SettingsSection title={words.presence} about={words.presenceText}>
      <Shown query={setting}>
        {({ is_shown }) => (
          <Switch
            label={words.presenceOn}
            checked={sending.isBusy ? !is_shown : is_shown}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        )}
      </Shown>
      <Refused submission={sending} fields={[]} />
    </SettingsSection>
  )
}
