import { Alert, Button, Card, Code, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { useIsAdmin } from '../../session/session.ts'
import { welcome } from '../../texts/en/settings/welcome.ts'
import { keyTexts as t } from '../keys/texts.ts'
import { AppLink, RouterLink } from '../../ui/AppLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Connect } from '../keys/connect/Connect.tsx'
import { FirstCall } from '../keys/connect/FirstCall.tsx'
import { KeyForm } from '../keys/create/KeyForm.tsx'
import { KeySecret } from '../keys/create/MadeKey.tsx'
import type { Key, NewKey } from '../keys/keys.ts'

function Step({ children }: { children: ReactNode }) {
  return (
    <Card withBorder mt="sm">
      <Stack>{children}</Stack>
    </Card>
  )
}

export function AddressStep({ onDone }: { onDone: () => void }) {
  const reach = useEndpoint('/web/reach')
  const text = welcome.address
  return (
    <Step>
      <QueryContent query={reach}>
        {({ url, warnings }) => (
          <>
            <Text>
              {text.text} <Code>{url}</Code>
            </Text>
            {warnings.map((warning) => (
              <Alert key={warning} color="yellow" variant="light" icon={<IconAlertTriangle />}>
                {warning}
              </Alert>
            ))}
            {warnings.length === 0 && (
              <Alert color="green" variant="light" icon={<IconCircleCheck />}>
                {text.fine}
              </Alert>
            )}
          </>
        )}
      </QueryContent>
      <Group justify="flex-end">
        <Button onClick={onDone}>{text.go}</Button>
      </Group>
    </Step>
  )
}

export function KeyStep({ onCreated }: { onCreated: (key: NewKey) => void }) {
  return (
    <Step>
      <Text size="sm">{welcome.key.text}</Text>
      <KeyForm name={welcome.key.name} onCreated={onCreated} />
    </Step>
  )
}

/** `newKey`: the newly created key; without it, waits for `latest`, whose secret is unknown here. */
export function ConnectStep({
  newKey,
  latest,
  createAnother,
  onDone,
}: {
  newKey: NewKey | undefined
  latest: Key | undefined
  createAnother: () => void
  onDone: () => void
}) {
  const text = welcome.connect
  const keyId = newKey?.id ?? latest?.id
  return (
    <Step>
      {newKey && <KeySecret newKey={newKey} />}
      <Text size="sm">{text.text}</Text>
      <Connect secret={newKey?.key} />
      {keyId !== undefined && <FirstCall keyId={keyId} />}
      <Group justify="flex-end">
        {!newKey && (
          <Button variant="default" onClick={createAnother}>
            {text.another}
          </Button>
        )}
        <Button onClick={onDone}>{newKey ? t.keys.made.stored : text.go}</Button>
      </Group>
    </Step>
  )
}

export function NextStep() {
  const isAdmin = useIsAdmin()
  const text = welcome.next
  return (
    <Step>
      <Text>{text.text}</Text>
      <List spacing="xs">
        <List.Item>{text.ask}</List.Item>
        <List.Item>
          <AppLink to="/activity">{text.activity}</AppLink>
        </List.Item>
        <List.Item>
          <AppLink to="/settings/accounts">{text.accounts}</AppLink>
        </List.Item>
        {isAdmin && (
          <List.Item>
            <AppLink to="/settings/people">{text.people}</AppLink>
          </List.Item>
        )}
        <List.Item>
          <AppLink to="/settings/integrations/api-keys">{text.keys}</AppLink>
        </List.Item>
      </List>
      <Group justify="flex-end">
        <Button component={RouterLink} to="/">
          {text.home}
        </Button>
      </Group>
    </Step>
  )
}
