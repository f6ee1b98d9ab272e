import { Button, Center } from '@mantine/core'
import { t } from '../texts.ts'

/** Loads the next page of a list, where there is one. */
export function More({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  if (!hasNextPage) return null
  return (
    <Center>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t.app.more}
      </Button>
    </Center>
  )
}
