import { Button, Card, Center, Group, Stack, Switch, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useIsAdmin } from '../../session/session.ts'
import { keyTexts as t } from './texts.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { ConnectCard } from './connect/ConnectCard.tsx'
import { Generate } from './create/Generate.tsx'
import { isUsableKey, isDueForRotation, useKeys, type Key, type KeyScope } from './keys.ts'
import { KeyRow } from './KeyRow.tsx'
import { RotateReminder } from './RotateReminder.tsx'

/** Key to create: a new one, or a replacement. */
export type KeyDialogState = { replacedKey?: Key }

export function Keys() {
  const isAdmin = useIsAdmin()
  const [scope, setScope] = useState<KeyScope>('me')
  const [showsEnded, setShowsEnded] = useState(false)
  const [keyDialog, setKeyDialog] = useState<KeyDialogState>()
  const keys = useKeys(scope)
  const generateButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setKeyDialog({})}>
      {t.keys.generate}
    </Button>
  )
  return (
    <Page title={t.keys.title} description={t.keys.about} actions={generateButton}>
      <Group gap="lg">
        {isAdmin && (
          <Switch
            label={t.keys.everyone}
            checked={scope === 'organization'}
            onChange={(event) => setScope(event.currentTarget.checked ? 'organization' : 'me')}
          />
        )}
        <Switch
          label={t.keys.ended}
          checked={showsEnded}
          onChange={(event) => setShowsEnded(event.currentTarget.checked)}
        />
      </Group>
      <QueryContent query={keys}>
        {(all) => (
          <>
            <RotateReminder keys={all.filter(isDueForRotation)} />
            <KeyList
              all={all}
              showsEnded={showsEnded}
              rotate={(key) => setKeyDialog({ replacedKey: key })}
            />
          </>
        )}
      </QueryContent>
      {keys.hasNextPage && (
        <Center>
          <Button
            variant="default"
            loading={keys.isFetchingNextPage}
            onClick={() => void keys.fetchNextPage()}
          >
            {t.app.more}
          </Button>
        </Center>
      )}
      {keyDialog ? (
        <Generate {...keyDialog} close={() => setKeyDialog(undefined)} />
      ) : (
        <ConnectCard />
      )}
    </Page>
  )
}

function KeyList({
  all,
  showsEnded,
  rotate,
}: {
  all: Key[]
  showsEnded: boolean
  rotate: (key: Key) => void
}) {
  const visibleKeys = all.filter((key) => showsEnded || isUsableKey(key))
  if (all.length === 0)
    return <EmptyState icon={IconKey} title={t.keys.empty.title} text={t.keys.empty.text} />
  if (visibleKeys.length === 0) return <Text c="dimmed">{t.keys.noneActive}</Text>
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {t.keys.count(visibleKeys.length)}
      </Text>
      <Card withBorder p={0}>
        <ul className="rows" aria-label={t.keys.list}>
          {visibleKeys.map((key) => (
            <KeyRow key={key.id} apiKey={key} rotate={isDueForRotation(key) ? rotate : undefined} />
          ))}
        </ul>
      </Card>
    </Stack>
  )
}
