import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import type { ReadContext } from '../../operations/context.ts'
import { invalid, notFound } from '../../kernel/refusal.ts'
import { resolveResourceAddress } from './resources.ts'
import type { ResourceAddress } from './addresses.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { readInOneCall, recordRefusal, requestFor } from '../requests.ts'

/** Maximum addresses per message. */
const maxUris = 1000

/**
 * Follows documents for a caller: calls `notify` with an address, as it was given, whenever its document has changed
 * and is visible to the caller at that moment, and once when it is trashed. Returns the function that ends it.
 * @throws ProtocolError for an address that is invalid or names nothing visible to the caller; then none is followed
 */
export async function followDocuments(
  app: App,
  caller: Caller,
  uris: readonly string[],
  notify: (uri: string) => void,
  message: MessageInfo = {},
): Promise<() => void> {
  const request = requestFor(caller, 'resources/subscribe', { uris: uris.length }, message)
  if (uris.length > maxUris)
    throw await recordRefusal(
      app,
      caller,
      request,
      invalid('uris', `lists more than ${maxUris} resources.`),
    )
  const addresses: [string, ResourceAddress][] = []
  for (const uri of new Set(uris)) {
    const address = await resolveResourceAddress(app, caller, 'resources/subscribe', uri, message)
    if (address.document.subscribable === false)
      throw await recordRefusal(
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
  const unsubscribers: (() => void)[] = []
  let missingUri: string | undefined
  const endAll = () => unsubscribers.splice(0).forEach((end) => end())
  try {
    await readInOneCall(app, caller, request, async (ctx) => {
      for (const [uri, address] of addresses) {
        const id = await documentIdOf(ctx, address)
        if (id === undefined) {
          missingUri = uri
          throw notFound('resource', 'uri')
        }
        unsubscribers.push(
          await app.live.subscribe({
            actor: caller.actor,
            items: [id],
            onChange: () => notify(uri),
          }),
        )
      }
    })
  } catch (error) {
    endAll()
    throw missingUri === undefined ? error : new ResourceNotFoundError(missingUri)
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
