import { ActionIcon, Badge, Box, Button, Code, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keyTexts as t } from './texts.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Ago, date } from '../../ui/times.tsx'
import { isUsableKey, useRevoke, type KeyBounds, type Key, type KeyState } from './keys.ts'

const colors: Record<KeyState, string> = {
  active: 'green',
  revoked: 'gray',
  expired: 'gray',
  suspended: 'red',
  paused: 'yellow',
  owner_deactivated: 'gray',
}

export function KeyRow({ of, rotate }: { of: Key; rotate: ((key: Key) => void) | undefined }) {
  const revoke = useRevoke()
  return (
    <Box component="li" p="sm">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={0}>
          <Group gap="xs">
            <AppLink to={`/settings/integrations/api-keys/${of.id}`} fw={600} dir="auto">
              {of.name}
            </AppLink>
            <StateBadge state={of.state} />
            {of.kind === 'connection' && (
              <Badge variant="light" color="blue" size="sm">
                {t.keys.connection}
              </Badge>
            )}
            <BoundBadges of={of} />
          </Group>
          <Group gap="xs">
            <Code>{of.prefix}</Code>
            {!of.is_own && (
              <Text size="sm" c="dimmed" dir="auto">
                {t.keys.ownedBy(of.owner.name)}
              </Text>
            )}
          </Group>
          <KeyFacts of={of} />
        </Stack>
        {rotate && (
          <Button
            size="compact-sm"
            variant="default"
            flex="0 0 auto"
            onClick={() => rotate(of)}
            aria-label={t.keys.rotate.label(of.name)}
          >
            {t.keys.rotate.badge}
          </Button>
        )}
        {of.state !== 'revoked' && (
          <Tooltip label={t.keys.revoke.action}>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              onClick={() => void revoke(of)}
              aria-label={t.keys.revoke.label(of.name)}
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

function BoundBadges({ of }: { of: KeyBounds }) {
  const { bounds } = t.keys
  const labels = [
    of.read_only && bounds.read_only,
    of.toolsets && bounds.toolsets(of.toolsets.length),
    of.hold_outbound && bounds.hold_outbound,
    of.admin && bounds.admin,
  ].filter((text) => text !== false && text !== null)
  return labels.map((text) => (
    <Badge key={text} variant="outline" color="gray" size="sm">
      {text}
    </Badge>
  ))
}

function KeyFacts({ of }: { of: Key }) {
  return (
    <Text component="div" size="sm" c="dimmed" className="dotted">
      <span>
        {t.keys.createdAt} <Ago at={of.created_at} />
      </span>
      {of.last_used_at === undefined ? (
        <span>{t.keys.unused}</span>
      ) : (
        <span>
          {t.keys.used} <Ago at={of.last_used_at} /> {t.keys.usedFrom(of.last_client, of.last_ip)}
        </span>
      )}
      <Ending of={of} />
    </Text>
  )
}

function Ending({ of: { state, revoked_at, expires_at } }: { of: Key }) {
  if (revoked_at !== undefined) {
    return (
      <span>
        {t.keys.revokedAt} <Ago at={revoked_at} />
      </span>
    )
  }
  if (!isUsableKey({ state }) && expires_at === undefined) return null
  return (
    <span>
      {expires_at === undefined
        ? t.keys.endless
        : `${state === 'expired' ? t.keys.expired : t.keys.expires} ${date(expires_at)}`}
    </span>
  )
}
