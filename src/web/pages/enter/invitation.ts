import type { SessionRole } from '../../session/session.ts'

export interface InvitationDetails {
  organization: string
  inviter: string
  email?: string
  role: SessionRole
  note?: string
  expires_at: string
}
