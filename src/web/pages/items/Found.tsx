import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../../api/problem.ts'
import { NotFound } from '../../ui/NotFound.tsx'
import { t } from '../../texts/index.ts'
import { QueryContent } from '../../ui/states.tsx'

interface LoadedQuery<D> {
  data: D | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** A requested item; an explanation if it does not exist or is not visible to the reader. */
export function Loaded<D>({
  query,
  children,
}: {
  query: LoadedQuery<D>
  children: (data: D) => ReactNode
}) {
  if (isMissing(query.error)) return <NotFound />
  if (query.error instanceof ApiError && query.error.status === 403) return <NoAccess />
  return <QueryContent query={query}>{children}</QueryContent>
}

/** True for errors that mean that the item does not exist, including invalid ids. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_argument')
}

function NoAccess() {
  return (
    <Center p="xl">
      <Stack align="center" ta="center">
        <Title order={1}>{t.items.noAccess.title}</Title>
        <Text c="dimmed">{t.items.noAccess.text}</Text>
      </Stack>
    </Center>
  )
}
