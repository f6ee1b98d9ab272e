import { z } from 'zod'
import { setting } from './setting.ts'

const url = z.url({ protocol: /^https?$/ })
const mailEndpoint = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65535),
  tls: z.enum(['tls', 'start']),
})

/** Addresses of Google's services. */
const Endpoints = z.strictObject({
  authorize: url.default('https://accounts.google.com/o/oauth2/v2/auth'),
  token: url.default('https://oauth2.googleapis.com/token'),
  revoke: url.default('https://oauth2.googleapis.com/revoke'),
  userinfo: url.default('https://openidconnect.googleapis.com/v1/userinfo'),
  imap: mailEndpoint.default({ host: 'imap.gmail.com', port: 993, tls: 'tls' }),
  smtp: mailEndpoint.default({ host: 'smtp.gmail.com', port: 465, tls: 'tls' }),
  caldav: url.default('https://apidata.googleusercontent.com/caldav/v2/'),
  drive: url.default('https://www.googleapis.com/'),
})

export type GoogleEndpoints = z.output<typeof Endpoints>

/** Google's own endpoints, with the overrides of the setting; undefined if it is invalid. */
export function readEndpoints(text: string): GoogleEndpoints | undefined {
  try {
    return Endpoints.safeParse(text === '' ? {} : JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Settings for connecting Google accounts; docs/accounts.md explains them. */
export const googleSettings = {
  google_client_id: setting({
    env: 'WORKSPACE_GOOGLE_CLIENT_ID',
    flag: '--google-client-id <id>',
    type: z.string(),
    default: '',
    help: 'Client ID of your own Google Cloud project, for connecting Google accounts; empty: not possible.',
  }),
  google_client_secret_file: setting({
    env: 'WORKSPACE_GOOGLE_CLIENT_SECRET_FILE',
    flag: '--google-client-secret-file <file>',
    type: z.string(),
    default: '',
    help: 'File with the secret of that OAuth client, read at each use, so it may change.',
  }),
  google_endpoints: setting({
    env: 'WORKSPACE_GOOGLE_ENDPOINTS',
    flag: '--google-endpoints <json>',
    type: z
      .string()
      .refine(
        (text) => readEndpoints(text) !== undefined,
        'must be a JSON object with any of authorize, token, revoke, userinfo, caldav and drive (addresses), imap and smtp ({"host", "port", "tls"})',
      ),
    default: '',
    help: 'Endpoints of Google, in JSON; for tests with a stand-in. Empty: Google itself.',
  }),
}
