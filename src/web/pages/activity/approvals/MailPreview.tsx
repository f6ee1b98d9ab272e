import { Alert, List, Loader, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callByName } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { activityTexts as t } from '../texts.ts'
import { PlainText } from '../../../ui/Outside.tsx'
import styles from '../activity.module.css'
import type { Approval } from './approvals.ts'
import type { OutgoingMail } from './take-over.ts'
import { CallArguments } from '../calls/Given.tsx'

const mailTools: ReadonlySet<string> = new Set([
  'send_email',
  'reply_to_email',
  'forward_email',
  'send_email_draft',
])

export function isMail(tool: string): boolean {
  return mailTools.has(tool)
}

/** The mail as it would be sent now, from a dry run: the recipients of a reply are only known after composing it. */
export function MailPreview({ approval }: { approval: Approval }) {
  const text = t.activity.approvals.mail
  const preview = useQuery({
    queryKey: ['letter', approval.id],
    queryFn: ({ signal }) =>
      callByName<OutgoingMail>(approval.tool, { ...approval.arguments, dry_run: true }, signal),
    staleTime: 60_000,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (preview.isPending) {
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" />
        <Text size="sm">{text.preparing}</Text>
      </Group>
    )
  }
  if (preview.error) {
    return (
      <Stack gap="xs">
        <Alert color="yellow" variant="light" title={text.cannot}>
          {errorMessage(preview.error)}
        </Alert>
        <CallArguments values={approval.arguments} items={approval.items} />
      </Stack>
    )
  }
  return (
    <Stack gap="xs">
      <Envelope mail={preview.data} />
      {preview.data.warnings.length > 0 && (
        <Alert color="yellow" variant="light">
          <List size="sm">
            {preview.data.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <CallArguments
        values={approval.arguments}
        items={approval.items}
        label={t.activity.approvals.given}
        isCollapsible
      />
    </Stack>
  )
}

function Envelope({ mail }: { mail: OutgoingMail }) {
  const text = t.activity.approvals.mail
  const formatAddresses = (addresses: OutgoingMail['to'] | undefined) =>
    addresses
      ?.map((address) => (address.name ? `${address.name} <${address.email}>` : address.email))
      .join(', ')
  const lines: [string, string | undefined][] = [
    [text.from, formatAddresses([mail.from])],
    [text.to, formatAddresses(mail.to)],
    [text.cc, formatAddresses(mail.cc)],
    [text.bcc, formatAddresses(mail.bcc)],
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
      {/* Verbatim: Markdown rendering would hide comments and link addresses. */}
      <PlainText text={mail.outgoing?.text ?? mail.content?.text ?? mail.snippet} />
    </>
  )
}
