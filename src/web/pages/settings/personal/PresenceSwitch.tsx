import { Switch } from '@mantine/core'
import { useEndpoint, usePost } from '../../../api/queries.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { settingsTexts as t } from '../texts.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'

const texts = t.accounts.profile

/** Setting for whether others see what the person is viewing. */
export function PresenceSwitch() {
  const setting = useEndpoint('/web/presence')
  const change = usePost('/web/presence', ['/web/presence'])
  const submission = useSubmission()
  const set = (is_shown: boolean) =>
    void submission.send(async () => {
      await change.mutateAsync({ is_shown })
    })
  return (
    <SettingsSection title={texts.presence} description={texts.presenceText}>
      <QueryContent query={setting}>
        {({ is_shown }) => (
          <Switch
            label={texts.presenceOn}
            checked={submission.isBusy ? !is_shown : is_shown}
            onChange={(event) => set(event.currentTarget.checked)}
          />
        )}
      </QueryContent>
      <SubmissionError submission={submission} fields={[]} />
    </SettingsSection>
  )
}
