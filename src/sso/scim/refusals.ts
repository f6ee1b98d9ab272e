import { Refusal } from '../../kernel/refusal.ts'

/** SCIM error types (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal with a SCIM error type: status 409 for `uniqueness`, otherwise 400. */
export class ScimRefusal extends Refusal {
  readonly scimType: ScimType

  constructor(scimType: ScimType, message: string, hint?: string) {
    super(
      scimType === 'uniqueness' ? 'conflict' : 'invalid_argument',
      message,
      hint ? { hint } : {},
    )
    this.scimType = scimType
  }
}

export function invalidValue(message: string): ScimRefusal {
  return new ScimRefusal('invalidValue', message)
}
