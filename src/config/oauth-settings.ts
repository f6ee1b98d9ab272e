import { z } from 'zod'
import { setting, wholeNumber } from './setting.ts'

/** OAuth connections of hosted assistants; see docs/connect.md and docs/security.md. */
export const oauthSettings = {
  oauth: setting<'auto' | 'yes' | 'no'>({
    env: 'WORKSPACE_OAUTH',
    flag: '--oauth <auto|yes|no>',
    type: z.enum(['auto', 'yes', 'no']),
    default: 'auto',
    help: 'Let people connect assistants by signing in (OAuth); auto: where the base URL is https or this machine.',
  }),
  oauth_access_minutes: setting({
    env: 'WORKSPACE_OAUTH_ACCESS_MINUTES',
    flag: '--oauth-access-minutes <number>',
    type: wholeNumber.min(1).max(1440),
    default: 60,
    help: 'How long an access token of a connection is valid, in minutes.',
  }),
  oauth_idle_days: setting({
    env: 'WORKSPACE_OAUTH_IDLE_DAYS',
    flag: '--oauth-idle-days <number>',
    type: wholeNumber.min(1).max(366),
    default: 30,
    help: 'A connection that has not refreshed its token for this many days ends.',
  }),
  oauth_grace_seconds: setting({
    env: 'WORKSPACE_OAUTH_GRACE_SECONDS',
    flag: '--oauth-grace-seconds <number>',
    type: wholeNumber.min(0).max(3600),
    default: 120,
    help: 'How long a refresh token is still accepted after it was replaced; programs on the same machine as their user get five times as long.',
  }),
  oauth_registration: setting<'any' | 'known' | 'no'>({
    env: 'WORKSPACE_OAUTH_REGISTRATION',
    flag: '--oauth-registration <any|known|no>',
    type: z.enum(['any', 'known', 'no']),
    default: 'any',
    help: 'Which programs may register themselves: any, those on the user’s machine or with a known callback address, or none.',
  }),
  oauth_documents: setting<'any' | 'known' | 'no'>({
    env: 'WORKSPACE_OAUTH_DOCUMENTS',
    flag: '--oauth-documents <any|known|no>',
    type: z.enum(['any', 'known', 'no']),
    default: 'any',
    help: 'Which programs may identify themselves by a document on their own site (client ID metadata documents): any, known ones, or none.',
  }),
}
