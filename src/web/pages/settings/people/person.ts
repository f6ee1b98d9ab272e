import type { SessionRole } from '../../../session/session.ts'

/** Somebody of the organization, as administrators see them. */
export interface Person {
  id: string
  name: string
  email: string
  title?: string
  role: SessionRole
  status: 'active' | 'invited' | 'deactivated'
  is_own: boolean
  last_seen_at?: string
  live_keys: number
  has_password: boolean
  passkeys: number
}

export interface Invitation {
  id: string
  state: 'pending' | 'used' | 'expired' | 'revoked'
  role: SessionRole
  email?: string
  note?: string
  created_by: { id: string; name: string }
  expires_at: string
  used_at?: string
  used_by?: { id: string; name: string; email: string; name_note?: string }
  revoked_at?: string
  mail: 'none' | 'waiting' | 'sent' | 'failed'
  mail_problem?: string
}

export const peoplePath = '/web/people'
export const invitationsPath = '/web/invitations'
export const roles: readonly SessionRole[] = ['admin', 'member', 'guest']
