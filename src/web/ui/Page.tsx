import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { t } from '../texts/index.ts'

/** A page of the app: its heading, what can be done, and the content. */
export function Page({
  title,
  about,
  actions,
  children,
  wide = false,
}: {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
}) {
  useDocumentTitle(`${title} – ${t.app.name}`)
  return (
    <Box maw={wide ? 1200 : 860} mx="auto" w="100%">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex="1 1 16rem" miw={0}>
            <Title order={1} dir="auto">
              {title}
            </Title>
            {about && (
              <Text c="dimmed" size="sm" component="div">
                {about}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Box>
  )
}
