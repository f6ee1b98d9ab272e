import { Alert, List, Loader, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callByName } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { activityTexts as t } from '../texts.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import styles from '../activity.module.css'
import type { Approval } from './approvals.ts'
import type { OutgoingMail } from './take-over.ts'
import { Given } from '../calls/Given.tsx'

const mails: ReadonlySet<string> = new Set([
  'send_email',
  'reply_to_email',
  'forward_email',
  'send_email_draft',
])

export function isMail(tool: string): boolean {
  return mails.has(tool)
}

/** The mail as it would be sent now: the recipients of a reply are only known after composing it, without sending. */
export function MailPreview({ approval }: { approval: Approval }) {
  const text = t.activity.approvals.mail
  const letter = useQuery({
    queryKey: ['letter', approval.id],
    queryFn: ({ signal }) =>
      callByName<OutgoingMail>(approval.tool, { ...approval.arguments, dry_run: true }, signal),
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (letter.isPending) {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">{text.preparing}</Text>
      </Group>
    )
  }
  if (letter.error) {
    return (
      <Stack gap="xs">
        <Alert color="yellow" variant="light" title={text.cannot}>
          {errorMessage(letter.error)}
        </Alert>
        <Given values={approval.arguments} items={approval.items} />
      </Stack>
    )
  }
  return (
    <Stack gap="xs">
      <Envelope mail={letter.data} />
      {letter.data.warnings.length > 0 && (
        <Alert color="yellow" variant="light">
          <List size="sm">
            {letter.data.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Given
        values={approval.arguments}
        items={approval.items}
        label={t.activity.approvals.given}
        isClosed
      />
    </Stack>
  )
}

function Envelope({ mail }: { mail: OutgoingMail }) {
  const text = t.activity.approvals.mail
  const names = (addresses: OutgoingMail['to'] | undefined) =>
    addresses?.map((item) => (item.name ? `${item.name} <${item.email}>` : item.email)).join(', ')
  const lines: [string, string | undefined][] = [
    [text.from, names([mail.from])],
    [text.to, names(mail.to)],
    [text.cc, names(mail.cc)],
    [text.bcc, names(mail.bcc)],
    [text.subject, mail.subject],
    [text.attachments, mail.attachments.map((attachment) => attachment.name).join(', ')],
  ]
  return (
    <>
      <dl className={styles.values}>
        {lines
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
      </dl>
      {/* To the letter: as Markdown, comments and the addresses of links would not be seen. */}
      <PlainText text={mail.outgoing?.text ?? mail.content?.text ?? mail.snippet} />
    </>
  )
}
