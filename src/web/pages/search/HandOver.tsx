import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconRobot } from '@tabler/icons-react'
import { useState } from 'react'
import type { Output } from '../../api/client.ts'
import { useCommands } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { CopyTextLink } from '../../ui/actions/CopyTextLink.tsx'

type Hit = Output<'search_workspace'>['items'][number]

const texts = t.items.search.handOver
/** Maximum hits handed over: as many as an assistant can read at once. */
const maxHandedOver = 20

/** The question with the ids of the hits, to be pasted into an assistant. */
export function HandOverButton({ query, hits }: { query: string; hits: readonly Hit[] }) {
  const [isOpen, setOpen] = useState(false)
  useCommands({ 'search.handOver': () => setOpen(true) })
  const text = promptFor(query, hits)
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconRobot size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {texts.action}
      </Button>
      <Dialog isOpen={isOpen} close={() => setOpen(false)} title={texts.action} isWide>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {texts.text}
          </Text>
          <Textarea
            aria-label={texts.label}
            value={text}
            readOnly
            autosize
            minRows={6}
            maxRows={16}
            data-autofocus
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group justify="flex-end">
            <CopyTextLink text={text} />
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

/** An external title could contain instructions: the assistant reads it where it is marked as external. */
function promptFor(query: string, hits: readonly Hit[]): string {
  const lines = hits.slice(0, maxHandedOver).map(({ item, trust }) => {
    const title = trust === 'external' ? `(${texts.outside})` : item.title
    return `- ${item.type} ${item.key ?? item.id}: ${title}`
  })
  return [texts.question(query), '', texts.found, ...lines].join('\n')
}
