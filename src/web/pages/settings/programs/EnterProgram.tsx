import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { usePost } from '../../../api/queries.ts'
import { SettingsSection } from '../shared/Section.tsx'
import { Refused, useSending } from '../shared/sending.tsx'
import { ShownOnce } from '../shared/ShownOnce.tsx'
import { settingsTexts as t } from '../texts.ts'
import { programsPath } from './programs.ts'

const words = t.programs
const empty = { name: '', redirects: '' }

/** Registers a program that cannot register itself; its secret is shown once. */
export function EnterProgram() {
  const [typed, setTyped] = useState(empty)
  const [made, setMade] = useState<{ client_id: string; client_secret: string; name: string }>()
  const sending = useSending()
  const enter = usePost(programsPath, [programsPath])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () => {
      const redirect_uris = typed.redirects.split(/\s+/).filter((line) => line !== '')
      setMade(await enter.mutateAsync({ name: typed.name, redirect_uris }))
      setTyped(empty)
    })
  }
  return (
    <SettingsSection title={words.enter} about={words.enterText}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={words.name}
            description={words.nameText}
            value={typed.name}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
            error={sending.errors.name}
            required
            maxLength={100}
            dir="auto"
          />
          <Textarea
            label={words.redirects}
            description={words.redirectsText}
            value={typed.redirects}
            onChange={(event) => setTyped({ ...typed, redirects: event.currentTarget.value })}
            error={sending.errors.redirect_uris}
            required
            autosize
            minRows={2}
          />
          <Refused submission={sending} fields={['name', 'redirect_uris']} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={sending.isBusy}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
      {made !== undefined && (
        <ShownOnce
          title={words.entered(made.name)}
          text={words.enteredText(made.client_id)}
          value={made.client_secret}
          words={{ label: words.secret, copy: words.copySecret, done: words.done }}
          note={null}
          onClose={() => setMade(undefined)}
        />
      )}
    </SettingsSection>
  )
}
