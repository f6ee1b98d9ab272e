import { Center } from '@mantine/core'
import type { ComponentProps } from 'react'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'

/** The end of a list with more entries. */
export function More({ query }: ComponentProps<typeof MoreButton>) {
  return (
    query.hasNextPage && (
      <Center>
        <MoreButton query={query} />
      </Center>
    )
  )
}
