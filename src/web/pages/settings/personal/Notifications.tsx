import { Alert, Checkbox, Radio, Stack, Table, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { IconMailOff } from '@tabler/icons-react'
import { call, type Input, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Shown } from '../../../ui/states.tsx'
import { submitWork } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { QuietHours } from './QuietHours.tsx'

type Preferences = Output<'get_notification_preferences'>
type Change = Input<'update_notification_preferences'>
const words = t.accounts.notifications

/** Notification preferences. Each choice is saved immediately. */
export function Notifications() {
  const preferencesQuery = useOperation('get_notification_preferences', {})
  const client = useQueryClient()
  const save = (change: Change) =>
    submitWork(
      async () =>
        client.setQueryData(
          ['call', 'get_notification_preferences', {}],
          await call('update_notification_preferences', change),
        ),
      words.saved,
    )
  return (
    <Page title={words.title} about={words.about}>
      <Shown query={preferencesQuery}>
        {(preferences) => (
          <>
            {preferences.email_delivery === 'not_configured' && (
              <Alert variant="light" color="blue" icon={<IconMailOff />}>
                {words.noMail}
              </Alert>
            )}
            <Matrix events={preferences.events} onSave={save} />
            <QuietHours now={preferences.quiet_hours} onSave={save} />
            <Digest now={preferences.digest} onSave={save} />
          </>
        )}
      </Shown>
    </Page>
  )
}

type Kind = Preferences['events'][number]

function Matrix({
  events,
  onSave,
}: {
  events: Kind[]
  onSave: (change: Change) => Promise<boolean>
}) {
  return (
    <SettingsSection title={words.table}>
      <Table verticalSpacing="sm" layout="fixed" aria-label={words.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.kind}</Table.Th>
            <Table.Th ta="center" w={72}>
              {words.app}
            </Table.Th>
            <Table.Th ta="center" w={72}>
              {words.email}
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
  kind: Kind
  onSave: (change: Change) => Promise<boolean>
}) {
  const [name, about] = words.kinds[kind] ?? [kind, '']
  const set = (way: 'app' | 'email', isOn: boolean) =>
    void onSave({ events: { [kind]: { [way]: isOn } } })
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </Table.Th>
      <Table.Td>
        <Checkbox
          styles={{ body: { justifyContent: 'center' } }}
          checked={app}
          disabled={kind === 'security'}
          title={kind === 'security' ? words.always : undefined}
          onChange={(event) => set('app', event.currentTarget.checked)}
          aria-label={words.appFor(name)}
        />
      </Table.Td>
      <Table.Td>
        <Checkbox
          styles={{ body: { justifyContent: 'center' } }}
          checked={email}
          onChange={(event) => set('email', event.currentTarget.checked)}
          aria-label={words.emailFor(name)}
        />
      </Table.Td>
    </Table.Tr>
  )
}

function Digest({
  now,
  onSave,
}: {
  now: Preferences['digest']
  onSave: (change: Change) => Promise<boolean>
}) {
  return (
    <SettingsSection title={words.digest} about={words.digestText}>
      <Radio.Group
        value={now}
        onChange={(digest) => void onSave({ digest: digest as Preferences['digest'] })}
        aria-label={words.digest}
      >
        <Stack gap="xs">
          {(['off', 'daily', 'weekly'] as const).map((item) => (
            <Radio key={item} value={item} label={words.digests[item]} />
          ))}
        </Stack>
      </Radio.Group>
    </SettingsSection>
  )
}
