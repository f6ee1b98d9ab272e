import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { t } from '../texts/index.ts'
import { RouterLink } from './AppLink.tsx'

/** Shown for an address or item that does not exist or is not visible to the person. */
export function NotFound() {
  useDocumentTitle(`${t.app.notFound.title} – ${t.app.name}`) // replaces the title of the item
  return (
    <Center p="xl">
      <Stack align="center" ta="center">
        <Title order={1}>{t.app.notFound.title}</Title>
        <Text c="dimmed">{t.app.notFound.text}</Text>
        <Button component={RouterLink} to="/">
          {t.app.notFound.home}
        </Button>
      </Stack>
    </Center>
  )
}
