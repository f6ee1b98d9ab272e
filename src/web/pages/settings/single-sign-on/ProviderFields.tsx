import { Alert, PasswordInput, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { settingsTexts as t } from '../texts.ts'
import type { Submission } from '../shared/sending.tsx'
import type { ProviderValues } from './provider.ts'

const texts = t.singleSignOn

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

type ClientAuth = ProviderValues['client_auth']

export interface FieldsProps {
  values: ProviderValues
  submission: Submission
  set: (changes: Partial<ProviderValues>) => void
}

export function ConnectionFields({
  values,
  submission,
  set,
  isNew,
}: FieldsProps & { isNew: boolean }) {
  const { errors } = submission
  return (
    <>
      <TextInput
        label={texts.name}
        description={texts.nameText}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
        required
        maxLength={60}
        dir="auto"
      />
      {isNew && (
        <TextInput
          label={texts.issuer}
          description={texts.issuerText}
          type="url"
          placeholder="https://login.example.org/realms/work"
          value={values.issuer}
          onChange={(event) => set({ issuer: event.currentTarget.value })}
          error={errors.issuer}
          required
        />
      )}
      <TextInput
        label={texts.clientId}
        value={values.client_id}
        onChange={(event) => set({ client_id: event.currentTarget.value })}
        error={errors.client_id}
        required
        autoComplete="off"
      />
      <PasswordInput
        label={texts.clientSecret}
        description={isNew ? undefined : texts.clientSecretKept}
        value={values.client_secret}
        onChange={(event) => set({ client_secret: event.currentTarget.value })}
        error={errors.client_secret}
        required={isNew}
        autoComplete="off"
      />
      <Select
        label={texts.clientAuth}
        data={Object.entries(texts.clientAuthChoice).map(([value, label]) => ({ value, label }))}
        value={values.client_auth}
        onChange={(auth) => set({ client_auth: (auth ?? 'auto') as ClientAuth })}
        allowDeselect={false}
      />
      <TextInput
        label={texts.scopes}
        value={values.scopes}
        onChange={(event) => set({ scopes: event.currentTarget.value })}
        error={errors.scopes}
      />
    </>
  )
}

/** Rules for new accounts, and for linking existing ones to the provider. */
export function JoiningFields({ values, submission, set }: FieldsProps) {
  return (
    <>
      <TagsInput
        label={texts.domains}
        description={texts.domainsText}
        value={values.domains}
        onChange={(domains) => set({ domains })}
        error={submission.errors.domains}
        splitChars={[',', ' ']}
      />
      <Choice
        label={texts.accounts}
        choices={texts.accountsChoice}
        value={values.accounts}
        onChange={(accounts) => set({ accounts })}
      />
      <Choice
        label={texts.linking}
        choices={texts.linkingChoice}
        value={values.linking}
        onChange={(linking) => set({ linking })}
      />
      {values.linking === 'trusted' && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
          {texts.trustedText}
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
    <Radio.Group label={label} value={value} onChange={(newValue) => onChange(newValue as V)}>
      <Stack gap="xs" mt="xs">
        {Object.entries<string>(choices).map(([key, text]) => (
          <Radio key={key} value={key} label={text} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
