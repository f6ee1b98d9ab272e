import type { Command } from 'commander'
import { scimUrl } from '../../sso/scim/present.ts'
import {
  issueScimToken,
  requireScimToken,
  revokeScimToken,
  scimTokensOf,
} from '../../sso/scim/tokens.ts'
import { listProviders } from '../../sso/providers.ts'
import {
  addCommand,
  addCommandGroup,
  isoOrNull,
  print,
  table,
  formatMoment,
  type CommonOptions,
} from '../command.ts'
import { withApp } from '../open.ts'
import { expiryOf } from './expiry.ts'
import { requireProvider, recordSso } from './sso-provider.ts'

export function registerScimCommands(sso: Command): void {
  const scim = addCommandGroup(
    sso,
    'scim',
    'Tokens with which a provider creates and deactivates people (SCIM).',
    ['workspace sso scim create Entra', 'workspace sso scim list'],
  )
  addCommand(
    scim,
    'create <provider>',
    'Make a token for a provider. It is shown once; prints the address to enter there.',
    ['workspace sso scim create Entra', 'workspace sso scim create Okta --expires 365d'],
  )
    .option('--name <name>', 'name in lists', 'SCIM')
    .option('--expires <when>', 'when it ends: 365d, 12w or a date (default: when it is revoked)')
    .action(createScimToken)
  addCommand(scim, 'list', 'List the tokens of all providers, without their secrets.', [
    'workspace sso scim list',
    'workspace sso scim list --json',
  ]).action(printScimTokens)
  addCommand(
    scim,
    'revoke <token>',
    'End a token, by its id. The next request with it is refused.',
    ['workspace sso scim revoke sct_…'],
  ).action(revoke)
}

async function createScimToken(
  text: string,
  options: CommonOptions & { name: string; expires?: string },
): Promise<void> {
  const createdToken = await withApp(options, async (app) => {
    const provider = await requireProvider(app, text)
    const expiresAt =
      options.expires === undefined
        ? undefined
        : await expiryOf(options.expires, app.clock.now(), 'UTC')
    const issued = await app.store.writer.run(async () => {
      const token = await issueScimToken(app, provider, { name: options.name, expiresAt })
      const loggedArguments = { provider: provider.id, token: token.id }
      await recordSso(app, provider.org_id, 'create_scim_token', loggedArguments)
      return token
    })
    return { ...issued, provider: provider.name, url: scimUrl(app.baseUrl) }
  })
  const { id, token, provider, url } = createdToken
  print(
    options.json,
    { id, token, url },
    () =>
      `Enter these at ${provider}:\n\n  address  ${url}\n  token    ${token}\n\nThe token is not shown again. \`workspace sso scim revoke ${id}\` ends it.`,
  )
}

async function printScimTokens(cliOptions: CommonOptions): Promise<void> {
  const rows = await withApp(cliOptions, async ({ store }) => {
    const providers = await listProviders(store.read)
    const all = providers.map(async (provider) =>
      (await scimTokensOf(store.read, provider)).map((row) => ({
        ...row,
        provider: provider.name,
      })),
    )
    return (await Promise.all(all)).flat()
  })
  const presented = rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    name: row.name,
    hint: row.hint,
    created_at: isoOrNull(row.created_at),
    expires_at: isoOrNull(row.expires_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.used_at),
  }))
  print(cliOptions.json, presented, () =>
    table(
      ['ID', 'PROVIDER', 'NAME', 'TOKEN', 'CREATED', 'LAST USED', 'REVOKED'],
      rows.map((row) => [
        row.id,
        row.provider,
        row.name,
        row.hint,
        formatMoment(row.created_at),
        formatMoment(row.used_at),
        formatMoment(row.revoked_at),
      ]),
    ),
  )
}

async function revoke(id: string, options: CommonOptions): Promise<void> {
  const revoked = await withApp(options, async (app) => {
    const row = await requireScimToken(app.store.read, id)
    return app.store.writer.run(async () => {
      const isNew = await revokeScimToken(app, row)
      if (isNew) await recordSso(app, row.org_id, 'revoke_scim_token', { token: row.id })
      return isNew
    })
  })
  print(options.json, { id, revoked: true, already: !revoked }, () =>
    revoked ? `${id} was revoked.` : `${id} was revoked already.`,
  )
}
