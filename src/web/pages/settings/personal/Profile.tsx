import { Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { Output } from '../../../api/client.ts'
import { useCall, useOperation } from '../../../api/queries.ts'
import { sessionKey } from '../../../session/session.ts'
import { settingsTexts as t } from '../texts.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { useDraft } from '../../../ui/drafts.ts'
import { Page } from '../../../ui/Page.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import { Timezone } from '../shared/Timezone.tsx'
import { Hours } from './Hours.tsx'
import { Picture } from './Picture.tsx'
import { PresenceSwitch } from './PresenceSwitch.tsx'
import { Status } from './Status.tsx'
import { SaveRow } from '../shared/SaveRow.tsx'

type Me = Output<'get_me'>['person']
const texts = t.accounts.profile

export function Profile() {
  const me = useOperation('get_me', {})
  return (
    <Page title={texts.title} description={texts.about}>
      <QueryContent query={me}>
        {({ person }) => (
          <>
            <ProfileFields person={person} />
            <Status person={person} />
            <PresenceSwitch />
            <Hours person={person} />
          </>
        )}
      </QueryContent>
    </Page>
  )
}

function ProfileFields({ person }: { person: Me }) {
  const [values, setValues] = useDraft('profile', {
    display_name: person.display_name,
    title: typeof person.title === 'string' ? person.title : '',
    timezone: person.timezone,
  })
  const submission = useSubmission()
  const client = useQueryClient()
  const update = useCall('update_my_profile', ['get_me', 'list_people'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () => {
      await update.mutateAsync({
        ...values,
        title: values.title.trim() === '' ? null : values.title,
      })
      await client.invalidateQueries({ queryKey: sessionKey })
      notifySuccess(texts.saved)
    })
  }
  return (
    <SettingsSection title={texts.you}>
      <Picture person={person} />
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={texts.name}
            value={values.display_name}
            onChange={(event) => setValues({ ...values, display_name: event.currentTarget.value })}
            error={submission.errors.display_name}
            required
            maxLength={200}
            autoComplete="name"
            dir="auto"
          />
          <TextInput
            label={texts.jobTitle}
            value={values.title}
            onChange={(event) => setValues({ ...values, title: event.currentTarget.value })}
            error={submission.errors.title}
            maxLength={200}
            autoComplete="organization-title"
            dir="auto"
          />
          <Timezone
            label={texts.timezone}
            value={values.timezone}
            onChange={(timezone) => setValues({ ...values, timezone })}
            error={submission.errors.timezone}
          />
          <SubmissionError submission={submission} fields={Object.keys(values)} />
          <SaveRow isBusy={submission.isBusy} />
        </Stack>
      </form>
    </SettingsSection>
  )
}
