import { ActionIcon, Badge, Box, Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useEndpoint, usePost } from '../../api/queries.ts'
import { supportsPasskeys } from '../../session/passkeys.ts'
import { t } from '../../texts/index.ts'
import { confirm, notifySuccess, notifyProblem } from '../../ui/confirm.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import type { Passkey } from '../../api/operations.ts'
import { PasskeyName } from './PasskeyName.tsx'

export function Passkeys() {
  const passkeys = useEndpoint('/web/passkeys')
  const [nameDialog, setNameDialog] = useState<{ passkey?: Passkey }>()
  const text = t.security.passkeys
  return (
    <>
      <QueryContent query={passkeys}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm">{text.empty}</Text>
          ) : (
            <ul className="rows boxed" aria-label={text.title}>
              {items.map((item) => (
                <PasskeyRow
                  key={item.id}
                  passkey={item}
                  rename={() => setNameDialog({ passkey: item })}
                />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {supportsPasskeys() ? (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setNameDialog({})}
          >
            {text.add}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {text.unsupported}
        </Text>
      )}
      {nameDialog && (
        <PasskeyName passkey={nameDialog.passkey} close={() => setNameDialog(undefined)} />
      )}
    </>
  )
}

function PasskeyRow({ passkey, rename }: { passkey: Passkey; rename: () => void }) {
  const text = t.security.passkeys
  const remove = usePost('/web/passkeys/:id/remove', ['/web/passkeys'])
  const confirmRemoval = async () => {
    if (
      await confirm({
        title: text.removeTitle,
        text: text.removeText(passkey.name),
        action: text.removeAction,
      })
    )
      remove.mutate(
        { id: passkey.id },
        {
          onSuccess: () => notifySuccess(text.removed(passkey.name)),
          onError: notifyProblem,
        },
      )
  }
  return (
    <Group component="li" px="sm" py="xs" justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600} dir="auto">
            {passkey.name}
          </Text>
          {passkey.backed_up && (
            <Badge size="sm" variant="light" color="gray">
              {text.synced}
            </Badge>
          )}
        </Group>
        <Text component="div" size="sm" c="dimmed" className="dotted">
          <span>
            {text.added} <Ago time={passkey.created_at} />
          </span>
          <span>
            {passkey.last_used_at === undefined ? (
              text.unused
            ) : (
              <>
                {text.used} <Ago time={passkey.last_used_at} />
              </>
            )}
          </span>
        </Text>
      </Box>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={rename}
          aria-label={text.rename(passkey.name)}
        >
          <IconPencil size={18} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          loading={remove.isPending}
          onClick={() => void confirmRemoval()}
          aria-label={text.remove(passkey.name)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
