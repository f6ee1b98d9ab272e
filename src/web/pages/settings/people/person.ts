import type { Invitation, ListedPerson } from '../../../api/operations.ts'
import type { SessionRole } from '../../../session/session.ts'

export type Person = ListedPerson
export type { Invitation }

export const peoplePath = '/web/people'
export const invitationsPath = '/web/invitations'
export const roles: readonly SessionRole[] = ['admin', 'member', 'guest']
