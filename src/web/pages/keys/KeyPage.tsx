import { Button, Card, Code, Stack, Text, Title } from '@mantine/core'
import { IconKeyOff, IconRotateClockwise, IconTrash } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { ApiError } from '../../api/problem.ts'
import { useEndpoint } from '../../api/queries.ts'
import { keyTexts as t } from './texts.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { Ago, formatMoment } from '../../ui/times.tsx'
import { areaName } from './create/Areas.tsx'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { Generate } from './create/Generate.tsx'
import { KeyHolds } from './KeyHolds.tsx'
import { StateBadge } from './KeyRow.tsx'
import { KeyUsage } from './KeyUsage.tsx'
import { useRevoke, type Key } from './keys.ts'
import { RecentCalls } from './RecentCalls.tsx'

const keysPath = '/settings/integrations/api-keys'

export function KeyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const key = useEndpoint('/web/api-keys/:id', { id })
  if (key.error instanceof ApiError && key.error.status === 404)
    return (
      <EmptyState
        icon={IconKeyOff}
        {...t.keys.detail.gone}
        action={<AppLink to={keysPath}>{t.keys.detail.back}</AppLink>}
      />
    )
  return <QueryContent query={key}>{(key) => <KeyDetail apiKey={key} />}</QueryContent>
}

function KeyDetail({ apiKey }: { apiKey: Key }) {
  const revoke = useRevoke()
  const [isRotating, setRotating] = useState(false)
  const text = t.keys.detail
  const actions = apiKey.state !== 'revoked' && (
    <>
      {apiKey.is_own && apiKey.kind === 'key' && (
        <Button
          variant="default"
          leftSection={<IconRotateClockwise size={16} />}
          onClick={() => setRotating(true)}
        >
          {t.keys.rotate.badge}
        </Button>
      )}
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => void revoke(apiKey)}
      >
        {t.keys.revoke.action}
      </Button>
    </>
  )
  return (
    <Page
      title={apiKey.name}
      description={<AppLink to={keysPath}>{text.back}</AppLink>}
      actions={actions}
    >
      <KeyHolds keyId={apiKey.id} />
      <Section title={text.facts}>
        <Card withBorder>
          <Facts facts={keyFactsOf(apiKey)} />
        </Card>
      </Section>
      {apiKey.is_own && (
        <>
          <Section title={text.usage}>
            <KeyUsage keyId={apiKey.id} />
          </Section>
          <Section
            title={text.recent}
            more={<AppLink to={`/activity?key=${apiKey.id}`}>{text.all}</AppLink>}
          >
            <RecentCalls limit={10} keyId={apiKey.id} />
          </Section>
        </>
      )}
      {isRotating && <Generate replacedKey={apiKey} close={() => setRotating(false)} />}
    </Page>
  )
}

function Section({
  title,
  more,
  children,
}: {
  title: string
  more?: ReactNode
  children: ReactNode
}) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
      {more && <Text size="sm">{more}</Text>}
    </Stack>
  )
}

function keyFactsOf(key: Key): Fact[] {
  const text = t.keys.detail
  return [
    [text.state, <StateBadge state={key.state} />],
    [text.prefix, <Code>{key.prefix}</Code>],
    [text.program, key.connection && <bdi>{key.connection.program}</bdi>],
    [text.endpoint, key.connection && <Code>{key.connection.address}</Code>],
    [text.owner, <bdi>{key.owner.name}</bdi>],
    [text.may, <KeyRights apiKey={key} />],
    [t.keys.createdAt, formatMoment(key.created_at)],
    key.revoked_at === undefined
      ? [
          t.keys.expires,
          key.expires_at === undefined ? t.keys.endless : formatMoment(key.expires_at),
        ]
      : [t.keys.revokedAt, formatMoment(key.revoked_at)],
    [t.keys.used, key.last_used_at === undefined ? t.keys.unused : <Ago time={key.last_used_at} />],
    [text.client, key.last_client],
    [text.address, key.last_ip],
  ]
}

function KeyRights({ apiKey }: { apiKey: Key }) {
  const { bounds, detail, form } = t.keys
  const areas = apiKey.toolsets
    ?.map((toolset) =>
      toolset.endsWith(':ro')
        ? `${areaName(toolset.slice(0, -3))} (${form.access.ro})`
        : areaName(toolset),
    )
    .join(', ')
  const restrictions = [
    areas,
    apiKey.read_only && bounds.read_only,
    apiKey.hold_outbound && bounds.hold_outbound,
    apiKey.admin && bounds.admin,
  ].filter(Boolean)
  return restrictions.length === 0 ? detail.everything : restrictions.join(' · ')
}
