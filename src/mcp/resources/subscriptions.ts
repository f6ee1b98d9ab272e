import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import type { ReadContext } from '../../operations/context.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { resolveResourceAddress } from './resources.ts'
import type { ResourceAddress } from './addresses.ts'
import type { Caller } from '../caller.ts'
import type { RequestMessage } from '../messages.ts'
import { lookFor, refuse, requestFor } from '../requests.ts'

/** Maximum addresses per message. */
const maxUris = 1000

/**
 * Follows documents for a caller: calls `tell` with an address, as it was given, whenever its document has changed
 * and is visible to the caller at that moment, and once when it is trashed. Returns the function that ends it.
 * @throws ProtocolError for an address that is invalid or names nothing visible to the caller; then none is followed
 */
export async function watch(
  app: App,
  caller: Caller,
  uris: readonly string[],
  tell: (uri: string) => void,
  message: RequestMessage = {},
): Promise<() => void> {
  const request = requestFor(caller, 'resources/subscribe', { uris: uris.length }, message)
  if (uris.length > maxUris)
    throw await refuse(
      app,
      caller,
      request,
      invalid('uris', `lists more than ${maxUris} resources.`),
    )
  const addresses: [string, ResourceAddress][] = []
  for (const uri of new Set(uris)) {
    const address = await resolveResourceAddress(app, caller, 'resources/subscribe', uri, message)
    if (address.document.subscribable === false)
      throw await refuse(
        app,
        caller,
        request,
        invalid(
          'uri',
          `${address.document.name} has no change notifications.`,
          'Read it again to see its progress.',
        ),
      )
    addresses.push([uri, address])
  }
  const ends: (() => void)[] = []
  let absent: string | undefined
  const endAll = () => ends.splice(0).forEach((end) => end())
  try {
    await lookFor(app, caller, request, async (ctx) => {
      for (const [uri, address] of addresses) {
        const id = await documentIdOf(ctx, address)
        if (id === undefined) {
          absent = uri
          throw notFound('resource', 'uri')
        }
        ends.push(
          await app.live.subscribe({ actor: caller.actor, items: [id], tell: () => tell(uri) }),
        )
      }
    })
  } catch (error) {
    endAll()
    throw absent === undefined ? error : new ResourceNotFoundError(absent)
  }
  return endAll
}

async function documentIdOf(
  ctx: ReadContext,
  { document, key }: ResourceAddress,
): Promise<string | undefined> {
  const row = (await document.resource.find(ctx, key)) as { id: string } | undefined
  return row?.id
}
