import { Center } from '@mantine/core'
import type { ComponentProps } from 'react'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'

/** The end of a list of which there is more. */
export function More({ of }: ComponentProps<typeof MoreButton>) {
  return (
    of.hasNextPage && (
      <Center>
        <MoreButton of={of} />
      </Center>
    )
  )
}
