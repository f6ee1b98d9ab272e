export const authMethods = [
  'none',
  'private_key_jwt',
  'client_secret_basic',
  'client_secret_post',
] as const
export type AuthMethod = (typeof authMethods)[number]

export interface Jwks {
  keys: Record<string, unknown>[]
}

export interface ClientMetadata {
  /** Self-reported name, on one line. */
  name: string
  /** Its home page, https. */
  uri: string | undefined
  redirects: readonly string[]
  /** Its authentication methods at the token endpoint; any of them is accepted. */
  methods: readonly AuthMethod[]
  jwksUri: string | undefined
  jwks: Jwks | undefined
}
