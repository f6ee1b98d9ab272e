import { Button, Group, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ViewNameForm } from '../tasks/views/ViewNameForm.tsx'
import type { SearchQuery } from './query.ts'
import { findSavedSearch, savedViewInput, useSavedSearches } from './saved.ts'

const texts = t.items.search.saved

/** Saves the search under a name; for a saved one, shows its name. */
export function SaveSearch({ query }: { query: SearchQuery }) {
  const [isNaming, setNaming] = useState(false)
  const saved = findSavedSearch(useSavedSearches(), query)
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
        {texts.action}
      </Button>
      <Dialog isOpen={isNaming} close={() => setNaming(false)} title={texts.action}>
        <ViewNameForm
          input={savedViewInput(query)}
          name={query.q.slice(0, 100)}
          action={texts.save}
          close={() => setNaming(false)}
        />
      </Dialog>
    </>
  )
}
