interface Credentials {
  user: string
  password?: string | undefined
  accessToken?: string | undefined
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * An error without the credentials, in all forms in which they are sent: some servers repeat the rejected line, and
 * their messages are stored, logged and shown.
 */
export function withoutCredentials<E>(error: E, { user, password, accessToken }: Credentials): E {
  const secrets = [
    ...(password
      ? [
          base64(`\0${user}\0${password}`),
          base64(password),
          password,
          password.replaceAll(/["\\]/g, '\\$&'),
        ]
      : []),
    ...(accessToken
      ? [base64(`user=${user}\u0001auth=Bearer ${accessToken}\u0001\u0001`), accessToken]
      : []),
  ]
  if (!(error instanceof Error)) return error
  const fields = error as Record<string, unknown>
  for (const name of ['message', 'stack', 'response', 'responseText']) {
    const text = fields[name]
    if (typeof text === 'string')
      fields[name] = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  }
  return error
}
