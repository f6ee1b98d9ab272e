import { Alert, Anchor, Code, List, Stack, Text } from '@mantine/core'
import { IconInfoCircle, IconShieldQuestion } from '@tabler/icons-react'
import { Navigate, useParams, type NavigateOptions } from '@tanstack/react-router'
import { ApiError } from '../../api/problem.ts'
import { signInAddress, useSessionState, useSignedIn, useSignOut } from '../../session/session.ts'
import { Verify } from '../../session/Verify.tsx'
import { Loading, Problem } from '../../ui/states.tsx'
import { formatDate } from '../../ui/times.tsx'
import { EnterCard } from '../enter/EnterCard.tsx'
import { areaName } from '../keys/create/Areas.tsx'
import { ConsentForm } from './ConsentForm.tsx'
import { useConnectionRequest, type ConnectionRequest } from './request.ts'
import { connectTexts as t } from './texts.ts'

/** Asks whether a program may act for the signed-in person, and with which limits. */
export function Consent() {
  const { token = '' } = useParams({ strict: false }) as { token?: string }
  const session = useSessionState()
  if (!session.data)
    return (
      <EnterCard title={t.connect.page}>
        {session.error ? <Problem error={session.error} /> : <Loading />}
      </EnterCard>
    )
  if (session.data.signed_in) return <Decision token={token} />
  const href = signInAddress(window.location.pathname)
  return <Navigate {...({ href, replace: true } as NavigateOptions)} />
}

function Decision({ token }: { token: string }) {
  const requestQuery = useConnectionRequest(token)
  if (!requestQuery.data) {
    const isGone = requestQuery.error instanceof ApiError && requestQuery.error.status === 404
    return (
      <EnterCard title={t.connect.page}>
        {isGone && <Text>{t.connect.gone}</Text>}
        {requestQuery.error && !isGone && (
          <Problem error={requestQuery.error} retry={() => void requestQuery.refetch()} />
        )}
        {!requestQuery.error && <Loading />}
      </EnterCard>
    )
  }
  const request = requestQuery.data
  return (
    <EnterCard title={t.connect.title(request.client.name)} about={<ConsentIntro />}>
      <RequestingClient connection={request} />
      <RequestedAccess connection={request} />
      <ConsentForm token={token} connection={request} />
      <Text size="xs" c="dimmed">
        {t.connect.logged}
      </Text>
      <Verify />
    </EnterCard>
  )
}

function ConsentIntro() {
  const { person, organization } = useSignedIn()
  const signOut = useSignOut()
  return (
    <>
      {t.connect.intro(`${person.name} (${person.email})`, organization.name)}{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
        {t.connect.otherPerson}
      </Anchor>
    </>
  )
}

/** Requesting program, as far as it is known, and the recipient of the authorization. */
function RequestingClient({ connection: { client, redirect } }: { connection: ConnectionRequest }) {
  const isUnknown = client.source === 'registered'
  return (
    <Alert
      color={isUnknown || redirect.kind !== 'web' ? 'yellow' : 'blue'}
      icon={isUnknown ? <IconShieldQuestion size={20} /> : <IconInfoCircle size={20} />}
    >
      <Stack gap={6}>
        <Text size="sm" dir="auto">
          {client.source === 'document' && t.connect.published(client.publisher ?? '')}
          {client.source === 'registered' && t.connect.registered(client.name)}
          {client.source === 'entered' && t.connect.entered}
        </Text>
        <Text size="sm">
          {t.connect.answer} <Code fw={700}>{redirect.host}</Code>.
        </Text>
        {redirect.kind !== 'web' && <Text size="sm">{t.connect[redirect.kind]}</Text>}
      </Stack>
    </Alert>
  )
}

function RequestedAccess({ connection }: { connection: ConnectionRequest }) {
  const areas = connection.toolsets
    ?.map((toolset) => areaName(toolset.replace(/:ro$/, '')))
    .join(', ')
  return (
    <div>
      <Text size="sm" fw={600} component="h2" m={0}>
        {t.connect.may}
      </Text>
      <List size="sm">
        <List.Item>{t.connect.mayRead}</List.Item>
        <List.Item>{connection.may_write ? t.connect.mayWrite : t.connect.mayNotWrite}</List.Item>
        {areas !== undefined && <List.Item>{t.connect.narrowed(areas)}</List.Item>}
        {connection.unknown_scopes && (
          <List.Item dir="auto">
            {t.connect.notGranted(connection.unknown_scopes.join(', '))}
          </List.Item>
        )}
      </List>
      {connection.replaces && (
        <Text size="sm" dir="auto">
          {t.connect.replaces(connection.replaces.name, formatDate(connection.replaces.created_at))}
        </Text>
      )}
    </div>
  )
}
