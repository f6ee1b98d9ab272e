import { receiveBlob, type Blob } from '../../../files/blobs.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Settings } from '../../../config/settings.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import type { Outbound } from '../../../outbound/outbound.ts'

/** Content from the web, already stored. */
export interface WebFile {
  blob: Blob
  /** Media type that the server reports. */
  mime: string | undefined
}

const maxRedirects = 5
const timeoutMs = 60_000

/** Downloads the file at a public address; each redirect is checked like the address. @throws Refusal */
export async function downloadWebFile(
  address: string,
  outbound: Outbound,
  settings: Settings,
): Promise<WebFile> {
  const maxBytes = settings.drive_url_megabytes * 2 ** 20
  let url = address
  for (let n = 0; n <= maxRedirects; n++) {
    await outbound.checkUrl(url, 'source_url')
    const answer = await requestWebFile(outbound, url, maxBytes)
    const next = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined
    if (next !== undefined && URL.canParse(next, url)) {
      url = new URL(next, url).href
      continue
    }
    if (answer.status !== 200)
      throw new Refusal(
        'provider_error',
        `The server at ${new URL(url).host} returned status ${answer.status}.`,
        { field: 'source_url' },
      )
    if (answer.isTruncated)
      throw new Refusal('too_large', `The file at this address is larger than ${maxBytes} bytes.`, {
        field: 'source_url',
        context: { limit: maxBytes },
      })
    return {
      blob: await receiveBlob(
        settings.data,
        (async function* () {
          yield answer.body
        })(),
        { maxBytes },
      ),
      mime: mimeIn(answer.headers['content-type']),
    }
  }
  throw new Refusal('provider_error', `The address redirects more than ${maxRedirects} times.`, {
    field: 'source_url',
  })
}

async function requestWebFile(outbound: Outbound, url: string, maxBytes: number) {
  try {
    return await outbound.request(
      url,
      { headers: { accept: '*/*', 'user-agent': 'Workspace', 'accept-encoding': 'identity' } },
      { timeoutMs, maxBytes },
    )
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    throw new Refusal(
      'provider_error',
      `The file could not be fetched from ${new URL(url).host}.`,
      { field: 'source_url', hint: 'Check that the address is public and responds.' },
    )
  }
}

function mimeIn(header: string | undefined): string | undefined {
  return /^\s*([\w.+-]{1,80}\/[\w.+-]{1,80})\s*(?:;|$)/.exec(header ?? '')?.[1]?.toLowerCase()
}
