import { useParams } from '@tanstack/react-router'
import { Anchor, Group } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { PlainText } from '../../../ui/Outside.tsx'
import { date, formatMoment } from '../../../ui/times.tsx'
import { FieldFacts, Links, Quiet } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { Interaction } from './Interaction.tsx'
import { ItemSection } from '../Section.tsx'

type Details = Output<'get_contact'>

export function Contact() {
  const { id } = useParams({ strict: false }) as { id: string }
  const found = useOperation('get_contact', {
    contact_id: id,
    include: ['interactions', 'deals', 'tasks', 'meetings'],
  })
  return (
    <Loaded of={found}>
      {(contact) => (
        <ItemFrame type="contact" title={contact.name} item={contact} id={contact.id}>
          <ContactFacts of={contact} />
          {contact.note && <PlainText text={contact.note} />}
          {contact.deals.length > 0 && (
            <ItemSection title={t.items.contact.deals}>
              <Links of={contact.deals.map((deal) => ({ ...deal, url: `/deals/${deal.id}` }))} />
            </ItemSection>
          )}
          {contact.tasks && contact.tasks.length > 0 && (
            <ItemSection title={t.items.contact.tasks}>
              <Links of={contact.tasks.map((task) => ({ ...task, url: `/tasks/${task.id}` }))} />
            </ItemSection>
          )}
          {contact.meetings && contact.meetings.length > 0 && (
            <ItemSection title={t.items.contact.meetings}>
              <Links
                of={contact.meetings.map((meeting) => ({
                  ...meeting,
                  url: `/meetings/${meeting.id}`,
                  title: `${meeting.title} · ${date(meeting.at)}`,
                }))}
              />
            </ItemSection>
          )}
          <ItemSection title={t.items.contact.interactions}>
            {contact.interactions?.length ? (
              contact.interactions.map((interaction) => (
                <Interaction key={interaction.id} of={interaction} />
              ))
            ) : (
              <Quiet>{t.items.none}</Quiet>
            )}
          </ItemSection>
        </ItemFrame>
      )}
    </Loaded>
  )
}

function ContactFacts({ of: contact }: { of: Details }) {
  const { field } = t.items
  return (
    <>
      <Facts
        of={[
          [field('title'), contact.title && <span dir="auto">{contact.title}</span>],
          [field('company'), contact.company && <ItemLink item={contact.company} />],
          [
            field('emails'),
            contact.emails.length > 0 && (
              <Group gap="xs">
                {contact.emails.map((email) => (
                  <Anchor key={email} href={`mailto:${email}`} size="sm">
                    {email}
                  </Anchor>
                ))}
              </Group>
            ),
          ],
          [
            field('phones'),
            contact.phones.length > 0 && (
              <Group gap="xs">
                {contact.phones.map((phone) => (
                  <Anchor key={phone} href={`tel:${phone}`} size="sm">
                    {phone}
                  </Anchor>
                ))}
              </Group>
            ),
          ],
          [field('owner'), contact.owner && <ItemLink item={contact.owner} />],
          [field('labels'), contact.labels.length > 0 && <Links of={contact.labels} />],
          [
            field('last_contacted_at'),
            contact.last_contacted_at && formatMoment(contact.last_contacted_at),
          ],
        ]}
      />
      <FieldFacts of={contact.custom_fields} />
    </>
  )
}
