import { ActionIcon, Badge, Box, Button, Code, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keyTexts as t } from './texts.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Ago, formatDate } from '../../ui/times.tsx'
import { isUsableKey, useRevoke, type KeyBounds, type Key, type KeyState } from './keys.ts'

const colors: Record<KeyState, string> = {
  active: 'green',
  revoked: 'gray',
  expired: 'gray',
  suspended: 'red',
  paused: 'yellow',
  owner_deactivated: 'gray',
}

export function KeyRow({
  apiKey,
  rotate,
}: {
  apiKey: Key
  rotate: ((key: Key) => void) | undefined
}) {
  const revoke = useRevoke()
  return (
    <Box component="li" p="sm">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={0}>
          <Group gap="xs">
            <AppLink to={`/settings/integrations/api-keys/${apiKey.id}`} fw={600} dir="auto">
              {apiKey.name}
            </AppLink>
            <StateBadge state={apiKey.state} />
            {apiKey.kind === 'connection' && (
              <Badge variant="light" color="blue" size="sm">
                {t.keys.connection}
              </Badge>
            )}
            <BoundBadges bounds={apiKey} />
          </Group>
          <Group gap="xs">
            <Code>{apiKey.prefix}</Code>
            {!apiKey.is_own && (
              <Text size="sm" c="dimmed" dir="auto">
                {t.keys.ownedBy(apiKey.owner.name)}
              </Text>
            )}
          </Group>
          <KeyFacts apiKey={apiKey} />
        </Stack>
        {rotate && (
          <Button
            size="compact-sm"
            variant="default"
            flex="0 0 auto"
            onClick={() => rotate(apiKey)}
            aria-label={t.keys.rotate.label(apiKey.name)}
          >
            {t.keys.rotate.badge}
          </Button>
        )}
        {apiKey.state !== 'revoked' && (
          <Tooltip label={t.keys.revoke.action}>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              onClick={() => void revoke(apiKey)}
              aria-label={t.keys.revoke.label(apiKey.name)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Box>
  )
}

export function StateBadge({ state }: { state: KeyState }) {
  return (
    <Badge variant="light" color={colors[state]} size="sm">
      {t.keys.states[state]}
    </Badge>
  )
}

function BoundBadges({ bounds }: { bounds: KeyBounds }) {
  const text = t.keys.bounds
  const labels = [
    bounds.read_only && text.read_only,
    bounds.toolsets && text.toolsets(bounds.toolsets.length),
    bounds.hold_outbound && text.hold_outbound,
    bounds.admin && text.admin,
  ].filter((label) => label !== false && label !== null)
  return labels.map((label) => (
    <Badge key={label} variant="outline" color="gray" size="sm">
      {label}
    </Badge>
  ))
}

function KeyFacts({ apiKey }: { apiKey: Key }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="dotted">
      <span>
        {t.keys.createdAt} <Ago time={apiKey.created_at} />
      </span>
      {apiKey.last_used_at === undefined ? (
        <span>{t.keys.unused}</span>
      ) : (
        <span>
          {t.keys.used} <Ago time={apiKey.last_used_at} />{' '}
          {t.keys.usedFrom(apiKey.last_client, apiKey.last_ip)}
        </span>
      )}
      <KeyExpiry apiKey={apiKey} />
    </Text>
  )
}

function KeyExpiry({ apiKey: { state, revoked_at, expires_at } }: { apiKey: Key }) {
  if (revoked_at !== undefined) {
    return (
      <span>
        {t.keys.revokedAt} <Ago time={revoked_at} />
      </span>
    )
  }
  if (!isUsableKey({ state }) && expires_at === undefined) return null
  return (
    <span>
      {expires_at === undefined
        ? t.keys.endless
        : `${state === 'expired' ? t.keys.expired : t.keys.expires} ${formatDate(expires_at)}`}
    </span>
  )
}
