import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { services, type AccountService } from './account.ts'

/** Starts Google's sign-in, which continues at Google; `accountId`: to sign in again. */
export function useGoogleSignIn() {
  const submission = useSubmission()
  const start = (selectedServices: readonly AccountService[], accountId?: string) =>
    submission.send(async () => {
      const { url } = await post('/web/accounts/google/start', {
        services: [...selectedServices],
        ...(accountId === undefined ? {} : { account_id: accountId }),
      })
      window.location.assign(url)
    })
  return { sending: submission, start }
}

export function GoogleForm({
  isConfigured,
  onBack,
}: {
  isConfigured: boolean
  onBack: () => void
}) {
  const [selectedServices, setSelectedServices] = useState<string[]>([...services])
  const { sending, start } = useGoogleSignIn()
  const texts = t.accounts.wizard
  if (!isConfigured) return <NotConfigured onBack={onBack} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void start(selectedServices as AccountService[])
  }
  return (
    <SettingsSection title={texts.googleTitle} description={texts.googleText}>
      <form onSubmit={submit}>
        <Stack>
          <Checkbox.Group
            label={texts.googleWhat}
            value={selectedServices}
            onChange={setSelectedServices}
          >
            <Stack gap="xs" mt="xs">
              {services.map((service) => (
                <Checkbox key={service} value={service} label={t.accounts.serviceNames[service]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <SubmissionError submission={sending} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={sending.isBusy} disabled={selectedServices.length === 0}>
              {texts.googleGo}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}

/** Setup steps for an administrator, with the exact addresses of this workspace. */
function NotConfigured({ onBack }: { onBack: () => void }) {
  const texts = t.accounts.wizard
  return (
    <SettingsSection title={texts.googleTitle} description={texts.googleMissing}>
      <Stack component="ol" gap="xs" m={0} ps="lg">
        {texts.googleSteps.map((step) => (
          <Text component="li" size="sm" key={step}>
            {step}
          </Text>
        ))}
      </Stack>
      <Copyable
        label={texts.googleAddress}
        text={`${window.location.origin}/web/accounts/google/callback`}
      />
      <Copyable
        label={texts.googleCommand}
        text="workspace serve --google-client-id <id> --google-client-secret-file <file>"
      />
      <Text size="sm">{texts.googleInstead}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t.app.back}
        </Button>
      </Group>
    </SettingsSection>
  )
}
