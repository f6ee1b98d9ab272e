import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { parseAllowedDestinations } from '../outbound/allow.ts'
import type { Plans } from './plans.ts'
import { databaseSettings } from './database-settings.ts'
import { embeddingSettings, embeddingsUrlOf } from './embedding-settings.ts'
import { googleSettings } from './google-settings.ts'
import { driveSettings } from './drive-settings.ts'
import { limitSettings } from './limit-settings.ts'
import { calendarSettings } from './calendar-settings.ts'
import { mailSettings } from './mail-settings.ts'
import { Refusal } from '../kernel/refusal.ts'
import { yesNoType, setting, wholeNumber, type Setting } from './setting.ts'
import { transportSettings } from './transport-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { rerankSettings } from './rerank-settings.ts'
import { monitoringSettings } from './watch-settings.ts'
import { issueText } from '../kernel/words.ts'

/** All settings. */
export const settingList = {
  data: setting({
    env: 'WORKSPACE_DATA',
    flag: '--data <dir>',
    type: z.string().min(1),
    default: () =>
      join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'workspace'),
    help: 'Data folder, with the database and all files.',
  }),
  ...databaseSettings,
  host: setting({
    env: 'WORKSPACE_HOST',
    flag: '--host <address>',
    type: z.string().min(1),
    default: '127.0.0.1',
    help: 'Address to listen on.',
  }),
  port: setting({
    env: 'WORKSPACE_PORT',
    flag: '--port <number>',
    type: wholeNumber.min(0).max(65535),
    default: 8787,
    help: 'Port to listen on; 0 picks a free one.',
  }),
  base_url: setting({
    env: 'WORKSPACE_BASE_URL',
    flag: '--base-url <url>',
    type: z
      .string()
      .regex(/^https?:\/\/[^\s/]+$/, 'must be http(s)://host[:port] without a path')
      .or(z.literal('')),
    default: '',
    help: 'Address where people and assistants reach this instance; empty: the address it listens on.',
  }),
  ...transportSettings,
  ...oauthSettings,
  ...monitoringSettings,
  ...mailSettings,
  ...embeddingSettings,
  ...rerankSettings,
  ...calendarSettings,
  ...driveSettings,
  ...googleSettings,
  currency: setting({
    env: 'WORKSPACE_CURRENCY',
    flag: '--currency <code>',
    type: z
      .string()
      .refine(
        (code) => Intl.supportedValuesOf('currency').includes(code),
        'must be an ISO 4217 code such as EUR',
      ),
    default: 'EUR',
    help: 'Default currency of deals, as an ISO 4217 code.',
  }),
  trash_purge: setting({
    env: 'WORKSPACE_TRASH_PURGE',
    flag: '--trash-purge <yes|no>',
    type: yesNoType,
    default: true,
    help: 'Erase items from the trash when their retention period ends.',
  }),
  key_idle_days: setting({
    env: 'WORKSPACE_KEY_IDLE_DAYS',
    flag: '--key-idle-days <days>',
    type: wholeNumber.min(0).max(36500),
    default: 365,
    help: 'Keys expire after this many unused days; 0: never.',
  }),
  mcp_streams_per_key: setting({
    env: 'WORKSPACE_MCP_STREAMS_PER_KEY',
    flag: '--mcp-streams-per-key <number>',
    type: wholeNumber.min(1).max(100_000),
    default: 8,
    help: 'Open streams allowed per key: sessions, HTTP+SSE and subscriptions.',
  }),
  mcp_sessions_per_key: setting({
    env: 'WORKSPACE_MCP_SESSIONS_PER_KEY',
    flag: '--mcp-sessions-per-key <number>',
    type: wholeNumber.min(1).max(100_000),
    default: 100,
    help: 'MCP sessions allowed per key; the longest idle one is closed to make room.',
  }),
  mcp_session_idle: setting({
    env: 'WORKSPACE_MCP_SESSION_IDLE',
    flag: '--mcp-session-idle <minutes>',
    type: wholeNumber.min(1).max(10_080),
    default: 30,
    help: 'MCP sessions end after this many idle minutes.',
  }),
  mcp_output_schemas: setting({
    env: 'WORKSPACE_MCP_OUTPUT_SCHEMAS',
    flag: '--mcp-output-schemas <yes|no>',
    type: yesNoType,
    default: false,
    help: 'Include output schemas in tools/list, which makes it several times longer; a connection can also ask for them with ?output_schemas=1.',
  }),
  jobs_keep_days: setting({
    env: 'WORKSPACE_JOBS_KEEP_DAYS',
    flag: '--jobs-keep-days <days>',
    type: wholeNumber.min(0).max(36500),
    default: 30,
    help: 'Finished jobs are deleted after this many days; 0: never.',
  }),
  audit_anchor: setting({
    env: 'WORKSPACE_AUDIT_ANCHOR',
    flag: '--audit-anchor <file>',
    type: z.string(),
    default: '',
    help: 'File that receives a copy of the signed heads of the call log, preferably append-only and on another machine; empty: none.',
  }),
  audit_keep_days: setting({
    env: 'WORKSPACE_AUDIT_KEEP_DAYS',
    flag: '--audit-keep-days <days>',
    type: wholeNumber.min(0).max(36500),
    default: 400,
    help: 'Call log entries are kept for this many days; 0: forever.',
  }),
  mcp_answer_limit: setting({
    env: 'WORKSPACE_MCP_ANSWER_LIMIT',
    flag: '--mcp-answer-limit <bytes>',
    type: wholeNumber
      .min(0)
      .max(100_000_000)
      .refine((bytes) => bytes === 0 || bytes >= 1024, 'must be 0 or at least 1024'),
    default: 65_536,
    help: 'Maximum size of an MCP tool result in bytes of JSON; longer ones are cut, and say so. 0: no limit. REST has no limit.',
  }),
  ...limitSettings,
  api_origins: setting({
    env: 'WORKSPACE_API_ORIGINS',
    flag: '--api-origins <any|none|origin,…>',
    type: z
      .string()
      .regex(
        /^(any|none|null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+)(,(null|[a-z][a-z0-9+.-]*:\/\/[^\s/,]+))*$/,
        'must be any, none, or a list such as https://tools.example.org,app://obsidian.md',
      ),
    default: 'any',
    help: 'Origins from which programs in browsers may call REST and MCP with a key, besides this instance: desktop programs, extensions, pages of other sites.',
  }),
  index_published: setting({
    env: 'WORKSPACE_INDEX_PUBLISHED',
    flag: '--index-published <yes|no>',
    type: yesNoType,
    default: false,
    help: 'Allow search engines to list published pages; otherwise they are marked noindex.',
  }),
  outbound: setting({
    env: 'WORKSPACE_OUTBOUND',
    flag: '--outbound <yes|no>',
    type: yesNoType,
    default: true,
    help: 'Allow outgoing connections at all: webhooks, mail, calendars.',
  }),
  outbound_allow: setting({
    env: 'WORKSPACE_OUTBOUND_ALLOW',
    flag: '--outbound-allow <host:port,…>',
    type: z
      .string()
      .refine(
        (text) => parseAllowedDestinations(text) !== undefined,
        'must be a list such as mail.example.lan:993,10.0.0.5:8080',
      ),
    default: '',
    help: 'Hosts and ports of your own network to which connections are allowed, besides the public internet; everybody who can create webhooks can reach them.',
  }),
  outbound_dns: setting({
    env: 'WORKSPACE_OUTBOUND_DNS',
    flag: '--outbound-dns <address[:port],…>',
    type: z
      .string()
      .regex(
        /^([\d.]+(:\d{1,5})?|\[[\da-fA-F:]+\](:\d{1,5})?)?(,([\d.]+(:\d{1,5})?|\[[\da-fA-F:]+\](:\d{1,5})?))*$/,
        'must be a list such as 9.9.9.9,[2620:fe::fe]:53',
      ),
    default: '',
    help: 'DNS servers for outgoing connections; empty: those of the system.',
  }),
  master_key_file: setting({
    env: 'WORKSPACE_MASTER_KEY_FILE',
    flag: '--master-key-file <file>',
    type: z.string().min(1),
    default: () =>
      join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'workspace', 'master.key'),
    help: 'File with the key that opens the secrets in the database, outside the data folder; created with the first secret. WORKSPACE_MASTER_KEY takes the key itself instead.',
  }),
  webhook_keep_days: setting({
    env: 'WORKSPACE_WEBHOOK_KEEP_DAYS',
    flag: '--webhook-keep-days <days>',
    type: wholeNumber.min(0).max(36500),
    default: 30,
    help: 'Finished webhook deliveries are deleted after this many days; 0: never.',
  }),
  check_answers: setting({
    env: 'WORKSPACE_CHECK_ANSWERS',
    flag: '--check-answers <yes|no>',
    type: yesNoType,
    default: false,
    help: 'Validate every answer against its schema; for development and tests.',
  }),
} satisfies Record<
  string,
  Setting<never> | Setting<string> | Setting<number> | Setting<boolean> | Setting<Plans>
>

export type Settings = {
  readonly [K in keyof typeof settingList]: ReturnType<(typeof settingList)[K]['default']>
}

/**
 * Reads the settings: flags override the environment, the environment overrides defaults.
 * @throws Refusal invalid_argument naming the flag or variable that is wrong
 */
export function readSettings(
  flags: Record<string, unknown> = {},
  env: NodeJS.ProcessEnv = process.env,
): Settings {
  const entries = Object.entries(settingList).map(([name, definition]) => {
    const camelCaseName = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const rawValue =
      flags[camelCaseName] ??
      flags[name] ??
      (env[definition.env] === '' ? undefined : env[definition.env])
    if (rawValue === undefined) return [name, definition.default()]
    const parsed = definition.type.safeParse(rawValue, { error: issueText })
    if (!parsed.success)
      throw new Refusal(
        'invalid_argument',
        `${definition.flag.split(' ')[0]} (${definition.env}): ${parsed.error.issues[0]!.message}.`,
      )
    return [name, parsed.data]
  })
  const settings = Object.fromEntries(entries) as Settings
  const { plans, default_plan, mail_server, mail_from, embeddings_model } = settings
  const embeddings_url = embeddingsUrlOf(settings)
  if (!Object.hasOwn(plans, default_plan))
    throw new Refusal(
      'invalid_argument',
      `--default-plan (WORKSPACE_DEFAULT_PLAN): unknown plan ${default_plan}; known: ${Object.keys(plans).join(', ')}.`,
    )
  if (mail_server !== '' && mail_from === '')
    throw new Refusal(
      'invalid_argument',
      '--mail-from (WORKSPACE_MAIL_FROM): required with --mail-server.',
    )
  if (embeddings_url !== '' && embeddings_model === '')
    throw new Refusal(
      'invalid_argument',
      '--embeddings-model (WORKSPACE_EMBEDDINGS_MODEL): required with --embeddings-url.',
    )
  return { ...settings, embeddings_url }
}
