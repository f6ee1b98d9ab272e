import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useList, useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Markdown } from '../../../ui/Markdown.tsx'
import { OutsideBadge } from '../../../ui/Outside.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { Quiet } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemSection } from '../Section.tsx'

type Details = Output<'get_form'>

export function Form() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_form', { form_id: id })
  return (
    <Loaded of={found}>
      {(form) => (
        <ItemFrame
          type="form"
          title={form.title}
          item={form}
          id={form.id}
          status={
            <Badge variant="light" tt="none">
              {t.items.word(form.status)}
            </Badge>
          }
        >
          {form.description_markdown && <Markdown text={form.description_markdown} />}
          <Facts
            of={[
              [
                t.items.form.open,
                form.public_url && (
                  <Anchor href={form.public_url} size="sm">
                    {form.public_url}
                  </Anchor>
                ),
              ],
              [t.items.field('audience'), t.items.word(form.settings.audience)],
              [
                t.items.field('closes_at'),
                form.settings.closes_at && formatMoment(form.settings.closes_at),
              ],
              [
                t.items.field('destination'),
                form.destination && t.items.word(form.destination.kind),
              ],
            ]}
          />
          <Questions of={form.fields} />
          <Responses of={form} />
        </ItemFrame>
      )}
    </Loaded>
  )
}

function Questions({ of }: { of: Details['fields'] }) {
  return (
    <ItemSection title={t.items.form.fields}>
      {of.length === 0 && <Quiet>{t.items.form.fields_none}</Quiet>}
      <Stack gap="xs" component="ol" m={0} pl="lg">
        {of.map((field) => (
          <li key={field.id}>
            <Text size="sm" dir="auto">
              {field.label}
            </Text>
            <Quiet>
              {[
                t.items.word(field.type),
                field.required ? t.items.form.required : '',
                field.options?.join(', ') ?? '',
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </Quiet>
          </li>
        ))}
      </Stack>
    </ItemSection>
  )
}

/** Who may not see the responses sees that there are some. */
function Responses({ of: form }: { of: Details }) {
  const found = useList('list_form_responses', { form_id: form.id, limit: 25 })
  if (found.error || found.items.length === 0) return null
  return (
    <ItemSection title={t.items.form.responses(form.response_count)}>
      <Stack gap={6} component="ul" className="plain-list">
        {found.items.map((entry) => (
          <li key={entry.id}>
            <ItemLink
              item={{
                id: entry.id,
                url: entry.url,
                title: t.items.form.response(formatMoment(entry.submitted_at)),
              }}
            />{' '}
            {entry.trust === 'external' && <OutsideBadge />}
          </li>
        ))}
      </Stack>
      <MoreButton of={found} />
    </ItemSection>
  )
}
