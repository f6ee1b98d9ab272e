import { Alert, Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Navigate, useParams } from '@tanstack/react-router'
import { call, type Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { t } from '../../../texts/index.ts'
import { itemTypeOf } from '../../../ui/kinds.ts'
import { OutsideBadge, PlainText } from '../../../ui/Outside.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { AddressFact, Links, DimmedText } from '../Facts.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../Found.tsx'
import { ItemFrame } from '../Frame.tsx'
import { LinkTarget } from '../Section.tsx'
import type { AddressedPerson } from '../values.ts'

type Thread = Output<'get_email_thread'>
type Mail = Thread['messages'][number]

/** A mail thread, or one of its mails. */
export function MailThread() {
  const { of, id } = useParams({ strict: false }) as { of?: string; id: string }
  return of === undefined && itemTypeOf(id) === 'email' ? (
    <ThreadRedirect emailId={id} />
  ) : (
    <Mails thread_id={of ?? id} markedId={of === undefined ? undefined : id} />
  )
}

/** Redirects a mail to its conversation. */
function ThreadRedirect({ emailId }: { emailId: string }) {
  const mailQuery = useOperation('get_email', { email_id: emailId, format: 'text', max_chars: 1 })
  return (
    <Loaded query={mailQuery}>
      {(mail) => <Navigate to={`/mail/${mail.thread_id}/${mail.id}`} replace />}
    </Loaded>
  )
}

/** Mails as text: nothing in them is loaded or run. */
function Mails({ thread_id, markedId }: { thread_id: string; markedId: string | undefined }) {
  const threadPages = useInfiniteQuery({
    queryKey: ['call', 'get_email_thread', { thread_id }, 'parts'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get_email_thread',
        {
          thread_id,
          format: 'text',
          limit: 50,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
  const parts = threadPages.data?.pages
  return (
    <Loaded query={{ ...threadPages, data: parts }}>
      {([thread, ...more]) =>
        thread && (
          <ItemFrame
            type="thread"
            title={thread.subject}
            item={thread}
            id={thread.id}
            linked={{ id: markedId ?? thread.messages[0]?.id ?? thread.id, title: thread.subject }}
            status={
              <Text span size="sm">
                {t.items.mail.count(thread.message_count)}
              </Text>
            }
          >
            <ThreadFacts thread={thread} />
            <Stack gap="sm">
              {[thread, ...more]
                .flatMap((item) => item.messages)
                .map((mail) => (
                  <LinkTarget key={mail.id} id={mail.id} isMarked={mail.id === markedId}>
                    <MailCard mail={mail} />
                  </LinkTarget>
                ))}
            </Stack>
            {threadPages.hasNextPage && (
              <Button
                variant="default"
                loading={threadPages.isFetchingNextPage}
                onClick={() => void threadPages.fetchNextPage()}
              >
                {t.items.mail.more}
              </Button>
            )}
          </ItemFrame>
        )
      }
    </Loaded>
  )
}

function ThreadFacts({ thread }: { thread: Thread }) {
  return (
    <Facts
      facts={[
        [t.items.field('labels'), thread.labels.join(', ')],
        [
          t.items.mail.linked,
          thread.linked_items.length > 0 && <Links items={thread.linked_items} />,
        ],
        [t.items.mail.drafts, thread.drafts.length > 0 && <Links items={thread.drafts} />],
      ]}
    />
  )
}

function MailCard({ mail }: { mail: Mail }) {
  const isSuspicious = mail.delivery === 'received' && mail.authentication.dmarc === 'fail'
  return (
    <Card
      withBorder
      padding="md"
      component="article"
      aria-label={t.items.mail.one(
        mail.from.name ?? mail.from.email ?? '',
        formatMoment(mail.date),
      )}
    >
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Facts
            facts={[
              [t.items.mail.from, <AddressFact person={mail.from} />],
              [t.items.mail.to, <Addresses people={mail.to} />],
              [t.items.mail.cc, mail.cc.length > 0 && <Addresses people={mail.cc} />],
            ]}
          />
          <Group gap="xs">
            {mail.content?.trust === 'external' && <OutsideBadge />}
            <DimmedText>
              <time dateTime={mail.date}>{formatMoment(mail.date)}</time>
            </DimmedText>
          </Group>
        </Group>
        {isSuspicious && (
          <Alert color="yellow" icon={<IconAlertTriangle />} p="xs">
            {t.items.mail.unverified}
          </Alert>
        )}
        {mail.event_problem !== undefined && (
          <DimmedText>{t.items.mail.calendarUnchanged(mail.event_problem)}</DimmedText>
        )}
        <Body mail={mail} />
        {mail.attachments.length > 0 && (
          <Facts
            facts={[
              [
                t.items.mail.attachments,
                mail.attachments
                  .map(
                    (attachment) => `${attachment.name} (${t.items.bytes(attachment.size_bytes)})`,
                  )
                  .join(', '),
              ],
            ]}
          />
        )}
      </Stack>
    </Card>
  )
}

function Body({ mail: { content, body_state, snippet } }: { mail: Mail }) {
  if (!content)
    return (
      <DimmedText>
        {body_state === 'pending' ? t.items.mail.pending : snippet || t.items.mail.noText}
      </DimmedText>
    )
  if (content.text.trim() === '') return <DimmedText>{t.items.mail.noText}</DimmedText>
  return (
    <>
      <PlainText text={content.text} />
      {content.next_offset !== undefined && <DimmedText>{t.items.mail.cut}</DimmedText>}
    </>
  )
}

function Addresses({ people }: { people: readonly AddressedPerson[] }) {
  return (
    <Group gap={6}>
      {people.map((addressed, i) => (
        <AddressFact key={i} person={addressed} />
      ))}
    </Group>
  )
}
