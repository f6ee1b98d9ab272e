import { Button, Group, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ViewNameForm } from '../tasks/views/ViewNameForm.tsx'
import type { SearchQuery } from './query.ts'
import { savedAs, savedInput, useSavedSearches } from './saved.ts'

const words = t.items.search.saved

/** Saves the search under a name; for a saved one, shows its name. */
export function SaveSearch({ asked: query }: { asked: SearchQuery }) {
  const [isNaming, setNaming] = useState(false)
  const saved = savedAs(useSavedSearches(), query)
  useCommands({ 'search.save': () => (saved ? false : setNaming(true)) })
  if (saved)
    return (
      <Group gap={4}>
        <IconBookmark size={14} aria-hidden />
        <Text size="sm" dir="auto">
          {saved.name}
        </Text>
      </Group>
    )
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconBookmark size={14} aria-hidden />}
        onClick={() => setNaming(true)}
      >
        {words.action}
      </Button>
      <Dialog isOpen={isNaming} close={() => setNaming(false)} title={words.action}>
        <ViewNameForm
          input={savedInput(query)}
          name={query.q.slice(0, 100)}
          action={words.save}
          close={() => setNaming(false)}
        />
      </Dialog>
    </>
  )
}
