import { Box, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { t } from '../../texts/index.ts'

/** The frame of pages for signed-out people. */
export function EnterCard({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  useDocumentTitle(`${title} – ${t.app.name}`)
  return (
    <Box component="main" mih="100dvh" px="sm" py={{ base: 'lg', sm: '12vh' }}>
      <Stack maw={400} mx="auto" gap="md">
        <Text fw={650} c="dimmed" ta="center">
          {t.app.name}
        </Text>
        <Paper withBorder p={{ base: 'md', sm: 'xl' }} radius="lg">
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1} dir="auto">
                {title}
              </Title>
              {about && (
                <Text c="dimmed" size="sm" component="div" dir="auto">
                  {about}
                </Text>
              )}
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Box>
  )
}
