import { z } from 'zod'
import { datetimeString } from '../../../kernel/fields.ts'
import { shape } from '../../../kernel/shape.ts'
import { Role } from './sessions.ts'

const status = z.enum(['active', 'invited', 'deactivated'])

/** A person of the organization, for administrators. */
export const ListedPerson = shape('ListedPerson', {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  title: z.string().optional(),
  role: Role,
  status,
  is_own: z.boolean(),
  timezone: z.string(),
  created_at: datetimeString(),
  last_seen_at: datetimeString().optional(),
  live_keys: z.int(),
  has_password: z.boolean(),
  passkeys: z.int(),
})

export const ChangedPerson = shape('ChangedPerson', {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  status,
  changed: z.boolean(),
})

export const ResetLink = z.strictObject({
  person: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }),
  link: z.string(),
  expires_at: datetimeString(),
})

const invitationFields = {
  id: z.string(),
  state: z.enum(['pending', 'used', 'expired', 'revoked']),
  role: Role,
  email: z.string().optional(),
  note: z.string().optional(),
  created_at: datetimeString(),
  created_by: z.strictObject({ id: z.string(), name: z.string() }),
  expires_at: datetimeString(),
  used_at: datetimeString().optional(),
  used_by: z
    .strictObject({
      id: z.string(),
      name: z.string().nullable(),
      email: z.string().nullable(),
      name_note: z.string().optional(),
    })
    .optional(),
  revoked_at: datetimeString().optional(),
  mail: z.enum(['none', 'waiting', 'sent', 'failed']),
  mailed_at: datetimeString().optional(),
  mail_problem: z.string().optional(),
}

export const Invitation = shape('Invitation', invitationFields)

export const NewInvitation = shape('NewInvitation', { ...invitationFields, link: z.string() })

export const InvitationDetails = shape('InvitationDetails', {
  organization: z.string(),
  inviter: z.string(),
  role: Role,
  email: z.string().optional(),
  note: z.string().optional(),
  expires_at: datetimeString(),
})
