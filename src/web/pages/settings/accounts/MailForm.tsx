import {
  Alert,
  Anchor,
  Button,
  Collapse,
  Group,
  PasswordInput,
  Stack,
  TextInput,
} from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { post } from '../../../api/client.ts'
import { settingsTexts as t } from '../texts.ts'
import { SubmissionError, useSubmission } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import type { ConnectedAccount, Discovered, MailServerInput } from './account.ts'
import { ServerFields, type ServerValues } from './Place.tsx'

interface MailFormValues {
  password: string
  login: string
  smtp_password: string
  imap: ServerValues
  smtp: ServerValues
  caldav_url: string
}

const serverValues = (server: MailServerInput | undefined, port: number): ServerValues => ({
  host: server?.host ?? '',
  port: String(server?.port ?? port),
  tls: server?.tls ?? 'tls',
})
const initialValues = (servers: Discovered): MailFormValues => ({
  password: '',
  login: servers.login,
  smtp_password: '',
  imap: serverValues(servers.imap, 993),
  smtp: serverValues(servers.smtp, 465),
  caldav_url: servers.caldav?.url ?? '',
})

/** Returns only values that differ from the discovered ones; the server discovers the rest itself. */
function changedValues(values: MailFormValues, initial: MailFormValues) {
  const serverChange = (name: 'imap' | 'smtp') =>
    JSON.stringify(values[name]) === JSON.stringify(initial[name]) ||
    values[name].host.trim() === ''
      ? {}
      : { [name]: { ...values[name], port: Number(values[name].port) } }
  return {
    password: values.password,
    ...(values.login === initial.login ? {} : { login: values.login }),
    ...(values.smtp_password === '' ? {} : { smtp_password: values.smtp_password }),
    ...serverChange('imap'),
    ...serverChange('smtp'),
    ...(values.caldav_url === initial.caldav_url
      ? {}
      : { caldav_url: values.caldav_url.trim() || null }),
  }
}

interface FieldProps {
  values: MailFormValues
  set: (changes: Partial<MailFormValues>) => void
  errors: ReturnType<typeof useSubmission>['errors']
}

interface Props {
  address: string
  discovered: Discovered
  hasGoogle: boolean
  onGoogle: () => void
  onBack: () => void
  onAdded: (account: ConnectedAccount) => Promise<void>
}

const texts = t.accounts.wizard
const fields = [
  'password',
  'login',
  'smtp_password',
  'caldav_url',
  'imap',
  'smtp',
  'imap.host',
  'smtp.host',
  'imap.port',
  'smtp.port',
]

/** Connects a mail account with its password. */
export function MailForm({ address, discovered, hasGoogle, onGoogle, onBack, onAdded }: Props) {
  const [values, setValues] = useState(() => initialValues(discovered))
  const submission = useSubmission()
  const set = (changes: Partial<MailFormValues>) =>
    setValues((current) => ({ ...current, ...changes }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void submission.send(async () =>
      onAdded(
        await post('/web/accounts/imap', {
          address,
          ...changedValues(values, initialValues(discovered)),
        }),
      ),
    )
  }
  return (
    <SettingsSection
      title={address}
      description={discovered.imap ? texts.found(discovered.imap.host) : texts.notFound}
    >
      <form onSubmit={submit}>
        <Stack>
          {discovered.note && (
            <Alert variant="light" color="blue" icon={<IconInfoCircle />}>
              {discovered.note}
            </Alert>
          )}
          {discovered.is_google && hasGoogle && (
            <Anchor component="button" type="button" size="sm" onClick={onGoogle} ta="start">
              {texts.google}
            </Anchor>
          )}
          <PasswordInput
            label={texts.password}
            description={texts.passwordText}
            value={values.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
            error={submission.errors.password}
            autoComplete="off"
            required
            autoFocus
          />
          <ServerSettings
            isInitiallyOpen={!discovered.imap || !discovered.smtp}
            values={values}
            set={set}
            errors={submission.errors}
          />
          <SubmissionError submission={submission} fields={fields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={submission.isBusy}>
              {texts.connect}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}

/** Server settings, usually discovered from the address, behind a link that opens them. */
function ServerSettings({ isInitiallyOpen, ...rest }: FieldProps & { isInitiallyOpen: boolean }) {
  const [isOpen, setOpen] = useState(isInitiallyOpen)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        ta="start"
      >
        {texts.servers}
      </Anchor>
      <Collapse expanded={isOpen}>
        <ServerSettingsFields {...rest} />
      </Collapse>
    </>
  )
}

function ServerSettingsFields({ values, set, errors }: FieldProps) {
  return (
    <Stack>
      <TextInput
        label={texts.login}
        value={values.login}
        onChange={(event) => set({ login: event.currentTarget.value })}
        error={errors.login}
        autoComplete="off"
      />
      <ServerFields
        label={texts.imap}
        name="imap"
        value={values.imap}
        onChange={(imap) => set({ imap })}
        errors={errors}
      />
      <ServerFields
        label={texts.smtp}
        name="smtp"
        value={values.smtp}
        onChange={(smtp) => set({ smtp })}
        errors={errors}
      />
      <PasswordInput
        label={texts.smtpPassword}
        description={texts.smtpPasswordText}
        value={values.smtp_password}
        onChange={(event) => set({ smtp_password: event.currentTarget.value })}
        error={errors.smtp_password}
        autoComplete="off"
      />
      <TextInput
        label={texts.caldavUrl}
        description={texts.caldavUrlText}
        type="url"
        value={values.caldav_url}
        onChange={(event) => set({ caldav_url: event.currentTarget.value })}
        error={errors.caldav_url}
      />
    </Stack>
  )
}
