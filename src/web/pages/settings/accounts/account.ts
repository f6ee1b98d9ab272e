import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../../api/live.ts'
import { useWeb } from '../../../api/queries.ts'
import { t } from '../texts.ts'
import type { Tone } from '../shared/State.tsx'

export interface MailServerInput {
  host: string
  port: number
  tls: 'tls' | 'start'
}

interface Servers {
  imap?: MailServerInput
  smtp?: MailServerInput
  caldav?: { url: string }
}

export const services = ['mail', 'calendar', 'drive'] as const
export type AccountService = (typeof services)[number]

/** A connected account, as its owner sees it. */
export interface ConnectedAccount {
  id: string
  provider: 'google' | 'imap' | 'caldav'
  address: string
  display_name: string
  login: string
  status: 'syncing' | 'active' | 'degraded' | 'reauth_required' | 'disabled'
  problem?: string
  problem_since?: string
  last_sync_at?: string
  synced_back_to?: string
  has_mail: boolean
  has_calendar: boolean
  has_drive: boolean
  services: Partial<
    Record<AccountService, { synced_at?: string; problem?: string; since?: string }>
  >
  servers: Servers
  signature_markdown?: string
  default: boolean
  signed_in_at: string
  created_at: string
}

export interface AccountList {
  items: ConnectedAccount[]
  /** Whether Google can be connected here. */
  google: boolean
}

export interface Discovered extends Servers {
  login: string
  note?: string
  found: 'provider' | 'domain' | 'autoconfig' | 'guess' | 'nothing'
  is_google: boolean
}

export const accountsPath = '/web/accounts'
const tones: Record<ConnectedAccount['status'], Tone> = {
  syncing: 'busy',
  active: 'good',
  degraded: 'warn',
  reauth_required: 'bad',
  disabled: 'off',
}
export const toneOf = ({ status }: ConnectedAccount): Tone => tones[status]

/** The own accounts, read again when the state of one changes. */
export function useAccounts() {
  const client = useQueryClient()
  const found = useWeb<AccountList>(accountsPath)
  const again = () => void client.invalidateQueries({ queryKey: ['web', accountsPath] })
  useStream('/web/events?types=email_account', 'email_account.updated', again, again)
  return found
}

/** What of an account is used, in words. */
export function usedOf(account: ConnectedAccount): string[] {
  return services
    .filter((service) => account[`has_${service}`])
    .map((service) => t.accounts.services[service])
}

/** What an account could be used for. Google says itself what somebody agreed to. */
export function servedBy(account: ConnectedAccount): readonly AccountService[] {
  const { provider, servers } = account
  const there = {
    mail: servers.imap !== undefined,
    calendar: servers.caldav !== undefined,
    drive: false,
  }
  return services.filter(
    (service) => provider === 'google' || account[`has_${service}`] || there[service],
  )
}
