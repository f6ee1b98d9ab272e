import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../api/problem.ts'
import { t } from '../texts/index.ts'
import { CopyTextLink } from './actions/CopyTextLink.tsx'
import styles from './states.module.css'

const skeletonLines = [1, 2, 3, 4, 5, 6]

/** A loading placeholder: empty for a moment, then skeleton lines. */
export function Loading() {
  return (
    <div role="status" aria-label={t.app.loading} className={styles.skeleton}>
      {skeletonLines.map((line) => (
        <span key={line} className={styles.line} />
      ))}
    </div>
  )
}

/** Error in the server's words, with its hint. */
export function Problem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const apiError = error instanceof ApiError ? error : undefined
  return (
    <Alert
      color="red"
      variant="light"
      icon={apiError?.isOffline ? <IconPlugConnectedX /> : <IconAlertTriangle />}
      title={t.app.wrong}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
        {apiError?.hint && <Text size="sm">{apiError.hint}</Text>}
        <Group gap="sm">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              {t.app.retry}
            </Button>
          )}
          {apiError?.requestId && (
            <Text size="xs" c="dimmed">
              <Code>{t.app.requestId(apiError.requestId)}</Code>
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}

interface EmptyProps {
  icon: Icon
  title: string
  text?: string
  action?: ReactNode
  /** Prompt for an assistant as an alternative, offered for copying. */
  prompt?: string
}

/** Empty state: describes what belongs here, and the way to add it. */
export function EmptyState({ icon: Shape, title, text, action, prompt }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Shape size={28} stroke={1.4} aria-hidden />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
      {prompt !== undefined && (
        <p className={styles.prompt}>
          {t.app.askAssistant} <q>{prompt}</q>
          <CopyTextLink text={prompt} />
        </p>
      )}
    </div>
  )
}

interface ContentQuery<D> {
  data: D | undefined
  error: Error | null
  isPending: boolean
  refetch: () => unknown
}

/** Shows loading, an error, or the content. Known content stays during a reload. */
export function QueryContent<D>({
  query,
  children,
}: {
  query: ContentQuery<D>
  children: (data: D) => ReactNode
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />
  return <Loading />
}
