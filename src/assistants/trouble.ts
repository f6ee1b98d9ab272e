import { SdkError, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'

/** Reason for a failed connection and a suggested remedy. */
export interface Trouble {
  code:
    | 'exposed'
    | 'unreachable'
    | 'untrusted'
    | 'unauthenticated'
    | 'forbidden'
    | 'misdirected'
    | 'wrong_path'
    | 'redirected'
    | 'rate_limited'
    | 'too_large'
    | 'server'
    | 'bad_port'
    | 'protocol'
  message: string
  advice: string
}

/** Describes the failure of a message to this address. Never contains the key. */
export function troubleOf(error: unknown, url: string): Trouble {
  const status = httpStatusOf(error)
  if (status !== undefined) return troubleOfStatus(status, url, refusalBody(error))
  const cause = codedCauseOf(error)
  const network = cause && networkTroubleOf(cause, url)
  if (network) return network
  const message = (causeChainOf(error).at(-1) as Error).message || String(error) // `fetch failed` says nothing; what caused it does
  if (/^bad port$/i.test(message))
    return {
      code: 'bad_port',
      message: `${new URL(url).origin} cannot be used: port ${new URL(url).port} is blocked for HTTP clients.`,
      advice: 'Check the port in --url; `workspace serve` prints the address it listens on.',
    }
  if (/redirect/i.test(message))
    return {
      code: 'redirected',
      message: `${url} redirects.`,
      advice: 'Use the address it redirects to: keys are not sent on to another address.',
    }
  if (/content type|not valid JSON|Unexpected token/i.test(message))
    return wrongPath(url, 'something that is not an MCP message')
  return {
    code: 'protocol',
    message: `Unexpected answer from ${url}: ${firstLine(message)}.`,
    advice: 'Check the log of the instance, and that both sides run a recent version.',
  }
}

/** The message and the advice, in one line. */
export function inOneLine({ message, advice }: Trouble): string {
  return `${message} ${advice}`
}

/** The trouble with an address to which a key would be sent unencrypted. */
export function exposedTrouble(url: string): Trouble {
  return {
    code: 'exposed',
    message: `${new URL(url).origin} is another machine, without TLS: anyone on the network could read the key.`,
    advice:
      'Use the https:// address of the instance. If only you use the network in between (containers, a VPN), add --allow-http.',
  }
}

/** The status with which a message was refused. */
export function httpStatusOf(error: unknown): number | undefined {
  const chain = causeChainOf(error)
  if (chain.some((item) => item instanceof UnauthorizedError)) return 401
  return chain.find((item) => item instanceof SdkHttpError)?.status
}

/** The body of the response that refused a message; empty if there is none. */
export function refusalBody(error: unknown): string {
  const text = causeChainOf(error).find((item) => item instanceof SdkHttpError)?.data.text
  return typeof text === 'string' ? text : ''
}

/** An error and its chain of causes. */
function causeChainOf(error: unknown): unknown[] {
  const { cause, errors } = (error ?? {}) as { cause?: unknown; errors?: unknown[] }
  const next = cause ?? errors?.[0]
  return next === undefined ? [error] : [error, ...causeChainOf(next)]
}

/** The trouble that a response with this status and body indicates. */
export function troubleOfStatus(status: number, url: string, text: string): Trouble {
  const detail = errorDetailIn(text)
  const { origin } = new URL(url)
  if (status === 401)
    return {
      code: 'unauthenticated',
      message: `${origin} does not accept the key (401).`,
      advice:
        'Check that it is complete (`workspace keys check`) and neither revoked nor expired (`workspace keys list`); create another with `workspace keys create`.',
    }
  if (status === 403)
    return {
      code: 'forbidden',
      message: `${origin} forbids this (403)${detail}.`,
      advice: 'What the key may do depends on the rights of its owner and on its own restrictions.',
    }
  if (status === 421)
    return {
      code: 'misdirected',
      message: `The instance at ${origin} does not answer to this host name (421).`,
      advice: 'Connect to the address of its --base-url, or set --base-url to the address you use.',
    }
  if (status === 404 || status === 405 || status === 406 || status === 415)
    return wrongPath(url, `${status}${detail}`)
  if (status === 413)
    return {
      code: 'too_large',
      message: `The message is larger than ${origin} accepts (413).`,
      advice: 'Send less per message.',
    }
  if (status === 429)
    return {
      code: 'rate_limited',
      message: `${origin} asks to slow down (429)${detail}.`,
      advice: 'Try again later.',
    }
  if (status >= 300 && status < 400)
    return {
      code: 'redirected',
      message: `${url} redirects (${status}).`,
      advice: 'Use the address it redirects to: keys are not sent on to another address.',
    }
  if (status >= 500)
    return {
      code: 'server',
      message: `${origin} reported an internal error (${status})${detail}.`,
      advice: 'Check the log of the instance, or of the proxy in front of it.',
    }
  return {
    code: 'protocol',
    message: `${origin} refused the message (${status})${detail}.`,
    advice: detail ? 'Fix the part it names and try again.' : 'Check the log of the instance.',
  }
}

function wrongPath(url: string, answer: string): Trouble {
  return {
    code: 'wrong_path',
    message: `There is no MCP endpoint at ${url} (${answer}).`,
    advice:
      'Give the address of the instance itself, such as https://work.example.org; /mcp is added to it. A proxy in front must forward /mcp.',
  }
}

/** Error message in the body, if it is JSON of ours. */
function errorDetailIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as {
      error?: { message?: string }
      message?: string
    }
    const errorText = error?.message ?? message
    return errorText ? `: ${firstLine(errorText)}` : ''
  } catch {
    return '' // a page of a proxy; its status says enough
  }
}

interface Cause {
  code: string
  message: string
}

/** The innermost error with a system or HTTP client code. */
function codedCauseOf(error: unknown): Cause | undefined {
  const coded = causeChainOf(error).filter(
    (item) =>
      !(item instanceof SdkError) &&
      /^[A-Z][A-Z0-9_]+$/.test(String((item as Partial<Cause> | undefined)?.code)),
  )
  return coded.at(-1) as Cause | undefined
}

function networkTroubleOf({ code, message }: Cause, url: string): Trouble | undefined {
  const { origin, hostname, protocol } = new URL(url)
  const unreachable = (what: string, advice: string): Trouble => ({
    code: 'unreachable',
    message: `${origin} cannot be reached: ${what}.`,
    advice,
  })
  if (code === 'ECONNREFUSED')
    return unreachable(
      'nothing listens there',
      'Start it with `workspace serve`, or check host and port.',
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return unreachable(
      `the name ${hostname} is not known`,
      'Check the spelling and your network connection.',
    )
  if (/CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(code))
    return unreachable('no answer', 'Check the network, the firewall and the address.')
  if (/WRONG_VERSION_NUMBER|EPROTO|SSL_PACKET/.test(code))
    return unreachable(
      'it does not speak TLS',
      `If it is this machine, try http:// instead of ${protocol}//.`,
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/.test(code)) {
    return {
      code: 'untrusted',
      message: `The certificate of ${origin} is not trusted (${code}).`,
      advice:
        'Trust its certificate authority: set NODE_EXTRA_CA_CERTS to a file with the certificate, in the environment of the program that connects.',
    }
  }
  if (/ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_HEADERS|UND_ERR_BODY/.test(code))
    return unreachable(
      'the connection was lost',
      protocol === 'http:'
        ? 'If it uses TLS, its address begins with https://. Otherwise, try again; the log of the instance may say why.'
        : 'Try again; the log of the instance, or of the proxy in front of it, may say why.',
    )
  return code === 'UND_ERR_INVALID_ARG'
    ? undefined
    : unreachable(`${code} ${firstLine(message)}`.trim(), 'Check the address and the network.')
}

function firstLine(text: string): string {
  return text
    .split('\n', 1)[0]!
    .slice(0, 300)
    .replace(/[.\s]+$/, '')
}
