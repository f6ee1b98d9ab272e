import {
  Alert,
  Button,
  Center,
  Code,
  Group,
  Loader,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../api/problem.ts'
import { t } from '../texts/index.ts'

export function Loading() {
  return (
    <Center py="xl" role="status" aria-label={t.app.loading}>
      <Loader size="sm" />
    </Center>
  )
}

/** What went wrong, in the server's words, with what to do. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const known = error instanceof ApiError ? error : undefined
  return (
    <Alert
      color="red"
      variant="light"
      icon={known?.isOffline ? <IconPlugConnectedX /> : <IconAlertTriangle />}
      title={t.app.wrong}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
        {known?.hint && <Text size="sm">{known.hint}</Text>}
        <Group gap="sm">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {t.app.retry}
            </Button>
          )}
          {known?.requestId && (
            <Text size="xs" c="dimmed">
              <Code>{t.app.requestId(known.requestId)}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

/** There is nothing yet: why, and what to do. */
export function Empty({
  icon: Shape,
  title,
  text,
  action,
}: {
  icon: Icon
  title: string
  text?: string
  action?: ReactNode
}) {
  return (
    <Center py="xl">
      <Stack align="center" gap="sm" maw={460} ta="center">
        <ThemeIcon size={48} radius="xl" variant="light" aria-hidden>
          <Shape size={26} />
        </ThemeIcon>
        <Title order={2} size="h3">
          {title}
        </Title>
        {text && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

interface Asked<D> {
  data: D | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** Shows what was asked for: loading, what went wrong, or the content. What is known stays while it is read again. */
export function Shown<D>({ of, children }: { of: Asked<D>; children: (data: D) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <Problem error={of.error} retry={() => void of.refetch()} />
  return <Loading />
}
