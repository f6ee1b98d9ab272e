import { z } from 'zod'
import { setting, wholeNumber } from './setting.ts'

/** The mail server that sends the workspace's mail. */
export interface MailServer {
  host: string
  port: number
  /** always: TLS from the first byte; start: STARTTLS required; none: unencrypted. */
  tls: 'always' | 'start' | 'none'
  user: string | undefined
}

const protocols = {
  'smtps:': { tls: 'always', port: 465 },
  'smtp:': { tls: 'start', port: 587 },
  'smtp+plain:': { tls: 'none', port: 25 },
} as const

/** Parses an address such as smtps://user@mail.example.com; undefined if invalid. */
export function readMailServer(text: string): MailServer | undefined {
  const url = URL.parse(text)
  if (
    !url ||
    !(url.protocol in protocols) ||
    url.hostname === '' ||
    url.password !== '' ||
    !/^\/?$/.test(url.pathname) ||
    url.search !== '' ||
    url.hash !== ''
  )
    return undefined
  const { tls, port } = protocols[url.protocol as keyof typeof protocols]
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || port),
    tls,
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
  }
}

const address = /^[^\s@<>",;]+@[^\s@<>",;]+$/

/** Settings for notification mails; docs/notifications.md explains them. */
export const mailSettings = {
  mail_server: setting({
    env: 'WORKSPACE_MAIL_SERVER',
    flag: '--mail-server <url>',
    type: z
      .string()
      .refine(
        (text) => text === '' || readMailServer(text) !== undefined,
        'must be smtps://user@host:465, smtp://user@host:587 (STARTTLS) or smtp+plain://host:25 (in the clear), without a password in it',
      ),
    default: '',
    help: 'SMTP server for notification mail; empty: none is sent. Its password goes in --mail-password-file. A server in your own network, or a port other than 465, 587 and 143, needs --outbound-allow.',
  }),
  mail_password_file: setting({
    env: 'WORKSPACE_MAIL_PASSWORD_FILE',
    flag: '--mail-password-file <file>',
    type: z.string(),
    default: '',
    help: 'File with the password of the mail server; read for each message, so it may change.',
  }),
  mail_from: setting({
    env: 'WORKSPACE_MAIL_FROM',
    flag: '--mail-from <address>',
    type: z
      .string()
      .refine(
        (text) => text === '' || address.test(text),
        'must be an address such as workspace@example.com',
      ),
    default: '',
    help: 'Sender address of notification mail; required with --mail-server.',
  }),
  mail_daily_limit: setting({
    env: 'WORKSPACE_MAIL_DAILY_LIMIT',
    flag: '--mail-daily-limit <messages>',
    type: wholeNumber.min(0).max(1_000_000),
    default: 500,
    help: 'Messages one person may send per day over all their mail accounts, including by keys and automations; 0: no limit.',
  }),
  notification_keep_days: setting({
    env: 'WORKSPACE_NOTIFICATION_KEEP_DAYS',
    flag: '--notification-keep-days <days>',
    type: wholeNumber.min(0).max(36500),
    default: 90,
    help: 'Read notifications are deleted after this many days, unread ones after four times as many; 0: never.',
  }),
}
