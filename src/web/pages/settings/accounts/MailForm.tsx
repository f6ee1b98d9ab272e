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
import { Refused, useSending } from '../shared/sending.tsx'
import { SettingsSection } from '../shared/Section.tsx'
import type { ConnectedAccount, Discovered, MailServerInput } from './account.ts'
import { ServerFields, type TypedPlace } from './Place.tsx'

interface Typed {
  password: string
  login: string
  smtp_password: string
  imap: TypedPlace
  smtp: TypedPlace
  caldav_url: string
}

const typed = (place: MailServerInput | undefined, port: number): TypedPlace => ({
  host: place?.host ?? '',
  port: String(place?.port ?? port),
  tls: place?.tls ?? 'tls',
})
const asFound = (servers: Discovered): Typed => ({
  password: '',
  login: servers.login,
  smtp_password: '',
  imap: typed(servers.imap, 993),
  smtp: typed(servers.smtp, 465),
  caldav_url: servers.caldav?.url ?? '',
})

/** Returns only settings that differ from the discovered ones; the server discovers the rest itself. */
function changes(now: Typed, before: Typed) {
  const place = (name: 'imap' | 'smtp') =>
    JSON.stringify(now[name]) === JSON.stringify(before[name]) || now[name].host.trim() === ''
      ? {}
      : { [name]: { ...now[name], port: Number(now[name].port) } }
  return {
    password: now.password,
    ...(now.login === before.login ? {} : { login: now.login }),
    ...(now.smtp_password === '' ? {} : { smtp_password: now.smtp_password }),
    ...place('imap'),
    ...place('smtp'),
    ...(now.caldav_url === before.caldav_url ? {} : { caldav_url: now.caldav_url.trim() || null }),
  }
}

interface FieldProps {
  values: Typed
  set: (more: Partial<Typed>) => void
  errors: ReturnType<typeof useSending>['errors']
}

interface Props {
  address: string
  discovered: Discovered
  hasGoogle: boolean
  onGoogle: () => void
  onBack: () => void
  onAdded: (account: ConnectedAccount) => Promise<void>
}

const words = t.accounts.wizard
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
  const [values, setValues] = useState(() => asFound(discovered))
  const sending = useSending()
  const set = (more: Partial<Typed>) => setValues((before) => ({ ...before, ...more }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void sending.send(async () =>
      onAdded(
        await post('/web/accounts/imap', {
          address,
          ...changes(values, asFound(discovered)),
        }),
      ),
    )
  }
  return (
    <SettingsSection
      title={address}
      about={discovered.imap ? words.found(discovered.imap.host) : words.notFound}
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
              {words.google}
            </Anchor>
          )}
          <PasswordInput
            label={words.password}
            description={words.passwordText}
            value={values.password}
            onChange={(event) => set({ password: event.currentTarget.value })}
            error={sending.errors.password}
            autoComplete="off"
            required
            autoFocus
          />
          <ServerSettings
            isOpenAtFirst={!discovered.imap || !discovered.smtp}
            values={values}
            set={set}
            errors={sending.errors}
          />
          <Refused submission={sending} fields={fields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack}>
              {t.app.back}
            </Button>
            <Button type="submit" loading={sending.isBusy}>
              {words.connect}
            </Button>
          </Group>
        </Stack>
      </form>
    </SettingsSection>
  )
}

/** Server settings, usually discovered from the address, behind a link that opens them. */
function ServerSettings({ isOpenAtFirst, ...rest }: FieldProps & { isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
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
        {words.servers}
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
        label={words.login}
        value={values.login}
        onChange={(event) => set({ login: event.currentTarget.value })}
        error={errors.login}
        autoComplete="off"
      />
      <ServerFields
        label={words.imap}
        name="imap"
        value={values.imap}
        onChange={(imap) => set({ imap })}
        errors={errors}
      />
      <ServerFields
        label={words.smtp}
        name="smtp"
        value={values.smtp}
        onChange={(smtp) => set({ smtp })}
        errors={errors}
      />
      <PasswordInput
        label={words.smtpPassword}
        description={words.smtpPasswordText}
        value={values.smtp_password}
        onChange={(event) => set({ smtp_password: event.currentTarget.value })}
        error={errors.smtp_password}
        autoComplete="off"
      />
      <TextInput
        label={words.caldavUrl}
        description={words.caldavUrlText}
        type="url"
        value={values.caldav_url}
        onChange={(event) => set({ caldav_url: event.currentTarget.value })}
        error={errors.caldav_url}
      />
    </Stack>
  )
}
