import { Anchor, Code, Group, Stack, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { t } from '../../texts/index.ts'
import { Facts } from '../../ui/Facts.tsx'
import { ItemLink, type ItemReference } from '../../ui/ItemLink.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import { PlainText } from '../../ui/Outside.tsx'
import { formatDate, formatMoment } from '../../ui/times.tsx'
import {
  isBlank,
  hasDayFormat,
  isFields,
  isMoment,
  textIn,
  type AddressedPerson,
  type Fields,
  type Json,
} from './values.ts'

/** The fields of an answer, with labels and formatted values. */
export function FieldFacts({
  item,
  excludedFields = [],
}: {
  item: Fields
  excludedFields?: readonly string[]
}) {
  return (
    <Facts
      facts={Object.entries(item)
        .filter(
          ([name, value]) =>
            !excludedFields.includes(name) && !isBlank(value) && !/_local$/.test(name),
        )
        .map(
          ([name, value]) =>
            [t.items.field(name), <Value key={name} name={name} value={value} />] as const,
        )}
    />
  )
}

/** Several item links in sequence. */
export function Links({ items }: { items: readonly ItemReference[] | undefined }) {
  if (!items || items.length === 0) return null
  return (
    <Group gap="xs">
      {items.map((referred) => (
        <ItemLink key={referred.id} item={referred} />
      ))}
    </Group>
  )
}

export function AddressFact({
  person: { name, email, person, contact },
}: {
  person: AddressedPerson
}) {
  const profile = person ?? contact
  if (profile) return <ItemLink item={profile} />
  return <span dir="auto">{addressText(name, email)}</span>
}

function addressText(name: string | undefined, email: string | undefined): string | undefined {
  if (name === undefined || name === '') return email
  return email === undefined ? name : `${name} <${email}>`
}

const isReference = (value: Fields): value is Fields & ItemReference =>
  typeof value.id === 'string' &&
  typeof value.title === 'string' &&
  Object.keys(value).every((name) =>
    ['id', 'title', 'key', 'url', 'type', 'stage', 'status', 'at'].includes(name),
  )
const isAddressFact = (value: Fields) =>
  Object.keys(value).every((name) => ['name', 'email', 'person', 'contact'].includes(name)) &&
  (isFields(value.person) || isFields(value.contact) || typeof value.email === 'string')
const isContent = (value: Fields) =>
  typeof value.text === 'string' && (value.trust === 'internal' || value.trust === 'external')

/** An answer value, in words. */
export function Value({ name, value }: { name: string; value: Json }): ReactNode {
  if (isBlank(value)) return null
  if (typeof value === 'boolean') return value ? t.items.yes : t.items.no
  if (typeof value === 'number') return formatQuantity(name, value)
  if (typeof value === 'string') return <TextValue name={name} text={value} />
  if (Array.isArray(value)) return <ListValue name={name} values={value} />
  const fields = value as Fields
  if (isReference(fields)) return <ItemLink item={fields} />
  if (isAddressFact(fields)) return <AddressFact person={fields as AddressedPerson} />
  if (isContent(fields))
    return <PlainText text={fields.text as string} isOutside={fields.trust === 'external'} />
  return <FieldFacts item={fields} excludedFields={hiddenFields} />
}

/** Fields shown elsewhere, or of no use to people. */
export const hiddenFields: readonly string[] = [
  'id',
  'revision',
  'url',
  'created_at',
  'updated_at',
  'created_by',
  'created_via',
  'deleted_at',
  'truncated',
  'has_more',
  'next_cursor',
  'position',
]

function formatQuantity(name: string, value: number): string {
  if (/minutes$/.test(name)) return t.items.minutes(value)
  if (/bytes$/.test(name)) return t.items.bytes(value)
  return t.items.number(value)
}

function TextValue({ name, text }: { name: string; text: string }) {
  if (/_markdown$/.test(name)) return <Markdown text={text} parentLevel={2} />
  if (isMoment(text)) return <time dateTime={text}>{formatMoment(text)}</time>
  if (hasDayFormat(text)) return <time dateTime={text}>{formatDate(text)}</time>
  if (/^https?:\/\/\S+$/.test(text))
    return (
      <Anchor href={text} target="_blank" rel="noopener noreferrer" size="sm">
        {text}
      </Anchor>
    )
  if (/^[a-z]{3}_[0-9a-z]{26}$/.test(text) || name === 'expression' || name === 'diff')
    return <Code block={text.includes('\n')}>{text}</Code>
  return (
    <span className="plain-text" dir="auto">
      {/^[a-z]+(_[a-z]+)*$/.test(text) &&
      /^(status|state|kind|type|level|mode|role|access|visibility|priority|health|availability|.*_(status|type|state|category|role))$/.test(
        name,
      )
        ? t.items.word(text)
        : text}
    </span>
  )
}

function ListValue({ name, values }: { name: string; values: readonly Json[] }) {
  if (values.every(isFields) && values.every(isReference)) return <Links items={values} />
  if (values.every((value) => !isFields(value) && !Array.isArray(value)))
    return (
      <span dir="auto">
        {values.map((item, i) => (
          <Fragment key={i}>
            {i > 0 && ', '}
            <Value name={name} value={item} />
          </Fragment>
        ))}
      </span>
    )
  return (
    <Stack gap="xs" component="ul" className="plain-list">
      {values.map((item, i) => (
        <li key={isFields(item) ? (textIn(item.id) ?? i) : i}>
          <Value name={name} value={item} />
        </li>
      ))}
    </Stack>
  )
}

/** A line of dimmed text. */
export function DimmedText({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" component="div">
      {children}
    </Text>
  )
}
