import { ActionIcon, Group, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useCall } from '../../api/queries.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { notifyProblem, notifySuccess } from '../../ui/confirm.tsx'
import { useSavedSearches, type SavedSearch } from './saved.ts'

const texts = t.items.search.saved

/** Saved searches, to be run again. */
export function SavedSearches() {
  const searches = useSavedSearches()
  if (searches.length === 0) return null
  return (
    <section aria-labelledby="saved-searches">
      <Text component="h2" id="saved-searches" size="sm" fw={600}>
        {texts.label}
      </Text>
      <ul className="plain-list">
        {searches.map((search) => (
          <SavedSearchItem key={search.id} search={search} />
        ))}
      </ul>
    </section>
  )
}

function SavedSearchItem({
  search: { id, name, savedBy, isOwn, params },
}: {
  search: SavedSearch
}) {
  const remove = useCall('delete_saved_view', ['list_saved_views'])
  const callbacks = { onSuccess: () => notifySuccess(texts.removed(name)), onError: notifyProblem }
  return (
    <Group component="li" gap="xs" wrap="nowrap" mih={32}>
      <AppLink to={`/search?${new URLSearchParams(params)}`} size="sm" miw={0}>
        <span dir="auto">{name}</span>
      </AppLink>
      {savedBy !== undefined && (
        <Text size="xs" c="dimmed">
          {texts.by(savedBy)}
        </Text>
      )}
      {isOwn && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={texts.remove(name)}
          loading={remove.isPending}
          onClick={() => remove.mutate({ view_id: id }, callbacks)}
        >
          <IconTrash size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
