import { Alert, PasswordInput, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import type { Submission } from '../shared/sending.tsx'
import type { TypedProvider } from './provider.ts'

const words = t.singleSignOn

/** Fields with their own refusal message. */
export const providerFieldNames = [
  'name',
  'issuer',
  'client_id',
  'client_secret',
  'scopes',
  'domains',
  'groups_claim',
  'rules',
]

export interface FieldsProps {
  values: TypedProvider
  sending: Submission
  set: (more: Partial<TypedProvider>) => void
}

export function ConnectionFields({
  values,
  sending,
  set,
  isNew,
}: FieldsProps & { isNew: boolean }) {
  const { errors } = sending
  return (
    <>
      <TextInput
        label={words.name}
        description={words.nameText}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
        required
        maxLength={60}
        dir="auto"
      />
      {isNew && (
        <TextInput
          label={words.issuer}
          description={words.issuerText}
          type="url"
          placeholder="https://login.example.org/realms/work"
          value={values.issuer}
          onChange={(event) => set({ issuer: event.currentTarget.value })}
          error={errors.issuer}
          required
        />
      )}
      <TextInput
        label={words.clientId}
        value={values.client_id}
        onChange={(event) => set({ client_id: event.currentTarget.value })}
        error={errors.client_id}
        required
        autoComplete="off"
      />
      <PasswordInput
        label={words.clientSecret}
        description={isNew ? undefined : words.clientSecretKept}
        value={values.client_secret}
        onChange={(event) => set({ client_secret: event.currentTarget.value })}
        error={errors.client_secret}
        required={isNew}
        autoComplete="off"
      />
      <Select
        label={words.clientAuth}
        data={Object.entries(words.clientAuthChoice).map(([value, label]) => ({ value, label }))}
        value={values.client_auth}
        onChange={(way) => set({ client_auth: (way ?? 'auto') as TypedProvider['client_auth'] })}
        allowDeselect={false}
      />
      <TextInput
        label={words.scopes}
        value={values.scopes}
        onChange={(event) => set({ scopes: event.currentTarget.value })}
        error={errors.scopes}
      />
    </>
  )
}

/** Rules for new accounts, and for linking existing ones to the provider. */
export function JoiningFields({ values, sending, set }: FieldsProps) {
  return (
    <>
      <TagsInput
        label={words.domains}
        description={words.domainsText}
        value={values.domains}
        onChange={(domains) => set({ domains })}
        error={sending.errors.domains}
        splitChars={[',', ' ']}
      />
      <Choice
        label={words.accounts}
        choices={words.accountsChoice}
        value={values.accounts}
        onChange={(accounts) => set({ accounts })}
      />
      <Choice
        label={words.linking}
        choices={words.linkingChoice}
        value={values.linking}
        onChange={(linking) => set({ linking })}
      />
      {values.linking === 'trusted' && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
          {words.trustedText}
        </Alert>
      )}
    </>
  )
}

function Choice<V extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string
  choices: Record<V, string>
  value: V
  onChange: (value: V) => void
}) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as V)}>
      <Stack gap="xs" mt="xs">
        {Object.entries<string>(choices).map(([key, text]) => (
          <Radio key={key} value={key} label={text} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
