import { Button } from '@mantine/core'
import { t } from '../../texts/index.ts'

/** Loads the next page of a list, if there is one. */
export function MoreButton({
  of,
}: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}) {
  if (!of.hasNextPage) return null
  return (
    <Button
      variant="default"
      loading={of.isFetchingNextPage}
      onClick={() => void of.fetchNextPage()}
    >
      {t.app.more}
    </Button>
  )
}
