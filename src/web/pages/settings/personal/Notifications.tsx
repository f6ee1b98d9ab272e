import { Alert, Checkbox, Radio, Stack, Table, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconMailOff } from '@tabler/icons-react'
import { call, type Input, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { runAction } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { QuietHours } from './QuietHours.tsx'

type Preferences = Output<'get_notification_preferences'>
type Change = Input<'update_notification_preferences'>
const texts = t.accounts.notifications

/** Notification preferences. Each choice is saved immediately. */
export function Notifications() {
  const preferencesQuery = useOperation('get_notification_preferences', {})
  const client = useQueryClient()
  const save = (change: Change) =>
    runAction(
      async () =>
        client.setQueryData(
          ['call', 'get_notification_preferences', {}],
          await call('update_notification_preferences', change),
        ),
      texts.saved,
    )
  return (
    <Page title={texts.title} description={texts.about}>
      <QueryContent query={preferencesQuery}>
        {(preferences) => (
          <>
            {preferences.email_delivery === 'not_configured' && (
              <Alert variant="light" color="blue" icon={<IconMailOff />}>
                {texts.noMail}
              </Alert>
            )}
            <Matrix events={preferences.events} onSave={save} />
            <QuietHours stored={preferences.quiet_hours} onSave={save} />
            <Digest value={preferences.digest} onSave={save} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

type EventPreference = Preferences['events'][number]

function Matrix({
  events,
  onSave,
}: {
  events: EventPreference[]
  onSave: (change: Change) => Promise<boolean>
}) {
  return (
    <SettingsSection title={texts.table}>
      <Table verticalSpacing="sm" layout="fixed" aria-label={texts.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.kind}</Table.Th>
            <Table.Th ta="center" w={72}>
              {texts.app}
            </Table.Th>
            <Table.Th ta="center" w={72}>
              {texts.email}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <KindRow key={event.kind} kind={event} onSave={onSave} />
          ))}
        </Table.Tbody>
      </Table>
    </SettingsSection>
  )
}

function KindRow({
  kind: { kind, app, email },
  onSave,
}: {
  kind: EventPreference
  onSave: (change: Change) => Promise<boolean>
}) {
  const [name, description] = texts.kinds[kind] ?? [kind, '']
  const set = (channel: 'app' | 'email', isEnabled: boolean) =>
    void onSave({ events: { [kind]: { [channel]: isEnabled } } })
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </Table.Th>
      <Table.Td>
        <Checkbox
          styles={{ body: { justifyContent: 'center' } }}
          checked={app}
          disabled={kind === 'security'}
          title={kind === 'security' ? texts.always : undefined}
          onChange={(event) => set('app', event.currentTarget.checked)}
          aria-label={texts.appFor(name)}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          styles={{ body: { justifyContent: 'center' } }}
          checked={email}
          onChange={(event) => set('email', event.currentTarget.checked)}
          aria-label={texts.emailFor(name)}
        />
      </Table.Td>
    </Table.Tr>
  )
}

function Digest({
  value,
  onSave,
}: {
  value: Preferences['digest']
  onSave: (change: Change) => Promise<boolean>
}) {
  return (
    <SettingsSection title={texts.digest} description={texts.digestText}>
      <Radio.Group
        value={value}
        onChange={(digest) => void onSave({ digest: digest as Preferences['digest'] })}
        aria-label={texts.digest}
      >
        <Stack gap="xs">
          {(['off', 'daily', 'weekly'] as const).map((item) => (
            <Radio key={item} value={item} label={texts.digests[item]} />
          ))}
        </Stack>
      </Radio.Group>
    </SettingsSection>
  )
}
