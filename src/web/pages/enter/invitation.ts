import type { SessionRole } from '../../session/session.ts'

/** What an open invitation says of itself. */
export interface InvitationDetails {
  organization: string
  inviter: string
  email?: string
  role: SessionRole
  note?: string
  expires_at: string
}
