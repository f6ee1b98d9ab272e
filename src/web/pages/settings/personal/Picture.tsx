import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { setProfilePicture } from './picture.ts'

type Me = Output<'get_me'>['person']
const acceptedTypes = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** The profile picture. */
export function Picture({ person }: { person: Me }) {
  const client = useQueryClient()
  const submission = useSubmission()
  const id = typeof person.avatar_url === 'string' ? person.avatar_url.split('/').at(-1) : undefined
  const content = useOperation(
    'get_file_content',
    { file_id: id ?? '', format: 'base64' },
    { enabled: id !== undefined },
  )
  const dataUrl =
    id !== undefined && content.data?.base64 !== undefined
      ? `data:${content.data.mime_type};base64,${content.data.base64}`
      : null
  const change = (update: () => Promise<unknown>, message: string) =>
    submission.send(async () => {
      await update()
      await client.invalidateQueries({ queryKey: ['call', 'get_me'] })
      notifySuccess(message)
    })
  const texts = t.accounts.profile
  return (
    <Stack gap="xs">
      <Group>
        <Avatar src={dataUrl} name={person.display_name} size={64} color="initials" alt="" />
        <FileButton
          accept={acceptedTypes}
          onChange={(file) =>
            file && void change(() => setProfilePicture(file), texts.pictureChanged)
          }
        >
          {(props) => (
            <Button variant="default" {...props} loading={submission.isBusy}>
              {texts.choosePicture}
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
                texts.pictureRemoved,
              )
            }
          >
            {texts.removePicture}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {texts.pictureText}
      </Text>
      <SubmissionError submission={submission} />
    </Stack>
  )
}
