import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../../api/live.ts'
import { endpointKey, useEndpoint } from '../../../api/queries.ts'
import type { ConnectedAccount, DiscoveredServers } from '../../../api/operations.ts'
import { settingsTexts as t } from '../texts.ts'
import type { Tone } from '../shared/State.tsx'

export type MailServerInput = NonNullable<ConnectedAccount['servers']['imap']>
export type Discovered = DiscoveredServers

export const services = ['mail', 'calendar', 'drive'] as const
export type AccountService = (typeof services)[number]

export type { ConnectedAccount }

export const accountsPath = '/web/accounts'
const tones: Record<ConnectedAccount['status'], Tone> = {
  syncing: 'busy',
  active: 'good',
  degraded: 'warn',
  reauth_required: 'bad',
  disabled: 'off',
}
export const toneOf = ({ status }: ConnectedAccount): Tone => tones[status]

/** The reader's accounts, reloaded when the state of one changes. */
export function useAccounts() {
  const client = useQueryClient()
  const accounts = useEndpoint(accountsPath)
  const reload = () => void client.invalidateQueries({ queryKey: endpointKey(accountsPath) })
  useStream('/web/events?types=email_account', 'email_account.updated', reload, reload)
  return accounts
}

/** Services of an account that are in use, in words. */
export function usedServiceNames(account: ConnectedAccount): string[] {
  return services
    .filter((service) => account[`has_${service}`])
    .map((service) => t.accounts.services[service])
}

/** Services that an account supports. Google itself states the services that the person consented to. */
export function supportedServices(account: ConnectedAccount): readonly AccountService[] {
  const { provider, servers } = account
  const isConfigured = {
    mail: servers.imap !== undefined,
    calendar: servers.caldav !== undefined,
    drive: false,
  }
  return services.filter(
    (service) => provider === 'google' || account[`has_${service}`] || isConfigured[service],
  )
}
