import { Option, type Command } from 'commander'
import { invalid, notFound } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { replaceRules, type GroupRule, type Provider } from '../../sso/providers.ts'
import { scimTokensOf } from '../../sso/scim/tokens.ts'
import { addCommand, print, type CommonOptions } from '../command.ts'
import { withApp } from '../open.ts'
import { requireProvider, recordSso } from './sso-provider.ts'

interface RuleOptions extends CommonOptions {
  role?: 'admin' | 'member' | 'guest'
  team?: string
}

export function registerSsoRuleCommands(sso: Command): void {
  addCommand(
    sso,
    'map <provider> <group>',
    'Give the people of a group a role or a team, from their next sign-in on.',
    [
      'workspace sso map Keycloak workspace-admins --role admin',
      'workspace sso map Keycloak engineering --team Engineering',
    ],
  )
    .addOption(new Option('--role <role>', 'role').choices(['admin', 'member', 'guest']))
    .option('--team <name or id>', 'team')
    .action(map)
  addCommand(
    sso,
    'unmap <provider> <group>',
    'Take away what a group gives. People keep what they have.',
    ['workspace sso unmap Keycloak engineering'],
  ).action(unmap)
}

async function map(text: string, groupName: string, options: RuleOptions): Promise<void> {
  if ((options.role === undefined) === (options.team === undefined))
    throw invalid('role', 'give either --role or --team.')
  const rules = await withApp(options, async (app) => {
    const provider = await requireProvider(app, text)
    if (provider.groupsClaim === undefined && !(await hasScim(app, provider)))
      throw invalid(
        'provider',
        'this provider sends no groups.',
        'Give it a claim with `workspace sso set --groups-claim`, or make a SCIM token for it.',
      )
    const rule: GroupRule = options.role
      ? { group: groupName, role: options.role }
      : { group: groupName, team_id: await teamOf(app, provider, options.team ?? '') }
    const others = provider.rules.filter((row) => JSON.stringify(row) !== JSON.stringify(rule))
    return replace(app, provider, [...others, rule])
  })
  print(
    options.json,
    { rules },
    () =>
      `People of ${groupName} get it at their next sign-in, or when the provider next sends the group.`,
  )
}

async function hasScim({ store }: App, provider: Provider): Promise<boolean> {
  const tokens = await scimTokensOf(store.read, provider)
  return tokens.some((row) => row.revoked_at === null)
}

async function unmap(text: string, groupName: string, options: CommonOptions): Promise<void> {
  const rules = await withApp(options, async (app) => {
    const provider = await requireProvider(app, text)
    const rest = provider.rules.filter((row) => row.group !== groupName)
    if (rest.length === provider.rules.length) throw notFound('group rule', 'group')
    return replace(app, provider, rest)
  })
  print(options.json, { rules }, () => `${groupName} gives nothing any more.`)
}

function replace(
  app: App,
  provider: Provider,
  rules: readonly GroupRule[],
): Promise<readonly GroupRule[]> {
  return app.store.writer.run(async () => {
    await replaceRules(app, provider, rules)
    await recordSso(app, provider.org_id, 'set_sso_groups', { provider: provider.id, rules })
    return rules
  })
}

async function teamOf({ store }: App, provider: Provider, text: string) {
  const teams = await store.read
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('org_id', '=', provider.org_id)
    .where('deleted_at', 'is', null)
    .execute()
  const team = teams.find(
    ({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase(),
  )
  if (!team) throw notFound('team', 'team')
  return team.id
}
