import type { App } from '../../operations/app.ts'
import type { Document } from '../../operations/documents.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { Caller } from '../caller.ts'

const maxUriLength = 2000

/** A parsed document address. */
export interface ResourceAddress {
  document: Document
  /** Id or key, as in an operation's argument. */
  key: string
}

export function templateOf({ name }: Document): string {
  return `workspace://${name}/{id}`
}

export function resourceAddress({ name }: Document, key: string): string {
  return `workspace://${name}/${encodeURIComponent(key).replaceAll('%40', '@')}`
}

/**
 * Parses the address of a document; undefined if there is no such kind of document for this caller.
 * @throws Refusal invalid_argument for a text that is no address of a document at all
 */
export function parseAddress(app: App, caller: Caller, uri: string): ResourceAddress | undefined {
  const [, name, encoded] =
    (uri.length <= maxUriLength && /^workspace:\/\/([a-z][a-z-]*)\/([^/?#]+)$/.exec(uri)) || []
  const key = encoded === undefined ? undefined : decodeAddressPart(encoded)
  if (name === undefined || key === undefined) throw notAnAddress(app, caller, uri)
  const document = documentsFor(app, caller).find((item) => item.name === name)
  return document && { document, key }
}

/** Names the address, like the error for an unknown one (SEP-2164). */
function notAnAddress(app: App, caller: Caller, uri: string): Refusal {
  const templates = documentsFor(app, caller).map(templateOf)
  const { code, message, more } = invalid(
    'uri',
    'is not a resource URI of this server.',
    templates.length > 0 ? `Available: ${templates.join(', ')}.` : undefined,
  )
  return new Refusal(code, message, { ...more, context: { uri: uri.slice(0, maxUriLength) } })
}

function decodeAddressPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Kinds of documents that a connection may read, because it may use their operation. */
export function documentsFor(app: App, caller: Caller): Document[] {
  return app.catalogue.documents.filter((document) => mayUse(app, caller, document.read.operation))
}

/** Whether an operation exists and is open to a connection. */
export function mayUse(app: App, { surface }: Caller, operation: string): boolean {
  const entry = app.catalogue.find(operation)
  return entry !== undefined && !surface.refusalFor(entry)
}
