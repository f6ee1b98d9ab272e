import { Button } from '@mantine/core'
import { t } from '../../texts/index.ts'

/** Loads the next page of a list, if there is one. */
export function MoreButton({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}) {
  if (!query.hasNextPage) return null
  return (
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {t.app.more}
    </Button>
  )
}
