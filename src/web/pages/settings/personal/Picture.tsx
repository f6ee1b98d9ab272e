import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { givePicture } from './picture.ts'

type Me = Output<'get_me'>['person']
const kinds = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** The profile picture. */
export function Picture({ person }: { person: Me }) {
  const client = useQueryClient()
  const sending = useSending()
  const id = typeof person.avatar_url === 'string' ? person.avatar_url.split('/').at(-1) : undefined
  const content = useOperation(
    'get_file_content',
    { file_id: id ?? '', format: 'base64' },
    { enabled: id !== undefined },
  )
  const source =
    id !== undefined && content.data?.base64 !== undefined
      ? `data:${content.data.mime_type};base64,${content.data.base64}`
      : null
  const change = (work: () => Promise<unknown>, message: string) =>
    sending.send(async () => {
      await work()
      await client.invalidateQueries({ queryKey: ['call', 'get_me'] })
      notifySuccess(message)
    })
  const words = t.accounts.profile
  return (
    <Stack gap="xs">
      <Group>
        <Avatar src={source} name={person.display_name} size={64} color="initials" alt="" />
        <FileButton
          accept={kinds}
          onChange={(file) => file && void change(() => givePicture(file), words.pictureChanged)}
        >
          {(props) => (
            <Button variant="default" {...props} loading={sending.isBusy}>
              {words.choosePicture}
            </Button>
          )}
        </FileButton>
        {id !== undefined && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() =>
              void change(
                () => call('update_my_profile', { avatar_file_id: null }),
                words.pictureRemoved,
              )
            }
          >
            {words.removePicture}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {words.pictureText}
      </Text>
      <Refused submission={sending} />
    </Stack>
  )
}
