import { Center } from '@mantine/core'
import type { ComponentProps } from 'react'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'

/** The end of a list with more entries. */
export function More({ of }: ComponentProps<typeof MoreButton>) {
  return (
    of.hasNextPage && (
      <Center>
        <MoreButton of={of} />
      </Center>
    )
  )
}
