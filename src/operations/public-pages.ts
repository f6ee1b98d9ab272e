import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'
import type { TickContext } from './jobs/tick.ts'
import type { Settings } from '../config/settings.ts'

/**
 * A public address of a module, readable without a key: published content. It is read-only (GET, HEAD), unless it
 * accepts forms.
 */
export interface OpenPlace {
  /** Route pattern: `/p/:slug`. */
  path: string
  /** The page; undefined if there is none, which looks the same for every reason. */
  read(look: OpenLook): Promise<OpenPage | undefined>
  /** Handles a form submitted by the page (POST). */
  post?(sent: OpenSent): Promise<OpenPage | undefined>
  /** Handles uploads by programs (PUT). */
  put?(sent: OpenSent): Promise<OpenPage | undefined>
  /** Sends a part of it (PATCH). */
  patch?(sent: OpenSent): Promise<OpenPage | undefined>
  /** Discards it (DELETE). */
  delete?(sent: OpenSent): Promise<OpenPage | undefined>
}

/** The context of a public address. There is no viewer, so the module decides what may be shown. */
export interface OpenLook {
  readonly all: Kysely<Tables>
  readonly now: number
  readonly baseUrl: string
  readonly settings: Settings
  readonly params: Readonly<Record<string, string>>
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The client's address, or its network for IPv6. */
  readonly network: string
  /** The person signed in with the requesting browser. */
  signedIn(): Promise<OpenPerson | undefined>
  /** Uses one unit of an address's quota; returns 0, or the seconds until one is available. */
  spend(what: string, quota: OpenQuota): number
  /** Runs work in a job of the writer, like ticks; `tool` is the name in the call log. */
  write<T>(tool: string, work: (system: TickContext) => Promise<T>): Promise<T>
}

/** Requests permitted per minute, and at once. */
export interface OpenQuota {
  perMinute: number
  burst: number
}

export interface OpenSent extends OpenLook {
  readonly contentType: string
  /** Another header of the request. */
  header(name: string): string | undefined
  /** The body. @throws Refusal too_large where it is longer */
  body(maxBytes: number): Promise<Buffer>
  /** The body in chunks, for bodies too large for memory. @throws Refusal invalid_argument where it ends early */
  pieces(): AsyncIterable<Uint8Array>
}

/** A person signed in with the requesting browser. */
export interface OpenPerson {
  readonly actor: Actor
  /** Calls an operation as that person. @throws Refusal */
  call<T = unknown>(
    operation: string,
    args: Record<string, unknown>,
    idempotencyKey?: string,
  ): Promise<T>
}

export interface OpenPage {
  /** A complete document; its only styles are `styles`, in its own <style>. It has no scripts. */
  html: string
  styles: string
  /** It existed and was removed. */
  isGone?: boolean
  /** Whether search engines may list it. */
  isListed: boolean
  /** Its status; default 200. */
  status?: number
  /** Its media type; default HTML. */
  type?: string
  /** Cache-Control of the answer; default: revalidated each time by its ETag. */
  cache?: string
  /** It has a form, which is submitted to this workspace. */
  takesForms?: true
  /** Redirect target below this workspace: the answer is 303. */
  location?: string
  /** A file of the drive instead of a page: offered for saving, never displayed. */
  file?: { name: string; mime_type: string; sha256: string; size_bytes: number }
  /** Seconds to wait before the next try. */
  retryAfter?: number
  /** Further headers, for programs. */
  headers?: readonly (readonly [name: string, value: string])[]
}
