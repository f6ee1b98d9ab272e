import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { services, type AccountService } from './account.ts'

/** Starts Google's sign-in, which continues at Google; `accountId`: to sign in again. */
export function useGoogle() {
  const sending = useSending()
  const start = (wanted: readonly AccountService[], accountId?: string) =>
    sending.send(async () => {
      const { url } = await post('/web/accounts/google/start', {
        services: [...wanted],
        ...(accountId === undefined ? {} : { account_id: accountId }),
      })
      window.location.assign(url)
    })
  return { sending, start }
}

export function GoogleForm({
  isConfigured,
  onBack,
}: {
  isConfigured: boolean
  onBack: () => void
}) {
  const [wanted, setWanted] = useState<string[]>([...services])
  const { sending, start } = useGoogle()
  const words = t.accounts.wizard
  if (!isConfigured) return <NotConfigured onBack={onBack} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void start(wanted as AccountService[])
  }
  return (
    <SettingsSection title={words.googleTitle} about={words.googleText}>
      <form onSubmit={submit}>
        <Stack>
          <Checkbox.Group label={words.googleWhat} value={wanted} onChange={setWanted}>
            <Stack gap="xs" mt="xs">
              {services.map((service) => (
                <Checkbox key={service} value={service} label={t.accounts.serviceNames[service]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Refused submission={sending} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={sending.isBusy} disabled={wanted.length === 0}>
              {words.googleGo}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}

/** Setup steps for an administrator, with the exact addresses of this workspace. */
function NotConfigured({ onBack }: { onBack: () => void }) {
  const words = t.accounts.wizard
  return (
    <SettingsSection title={words.googleTitle} about={words.googleMissing}>
      <Stack component="ol" gap="xs" m={0} ps="lg">
        {words.googleSteps.map((step) => (
          <Text component="li" size="sm" key={step}>
            {step}
          </Text>
        ))}
      </Stack>
      <Copyable
        label={words.googleAddress}
        text={`${window.location.origin}/web/accounts/google/callback`}
      />
      <Copyable
        label={words.googleCommand}
        text="workspace serve --google-client-id <id> --google-client-secret-file <file>"
      />
      <Text size="sm">{words.googleInstead}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t.app.back}
        </Button>
      </Group>
    </SettingsSection>
  )
}
