import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Actor } from '../kernel/actor.ts'
import type { TickContext } from './jobs/tick.ts'
import type { Settings } from '../config/settings.ts'

/** An address of a module that anyone may read, without a key: published content. It is read-only (GET, HEAD), unless it takes forms. */
export interface OpenPlace {
  /** Route pattern: `/p/:slug`. */
  path: string
  /** The page there; undefined where there is none, which looks the same for whatever reason. */
  read(look: OpenLook): Promise<OpenPage | undefined>
  /** Handles a form submitted by the page (POST). */
  post?(sent: OpenSent): Promise<OpenPage | undefined>
  /** Handles uploads by programs (PUT). */
  put?(sent: OpenSent): Promise<OpenPage | undefined>
  /** A part of it (PATCH). */
  patch?(sent: OpenSent): Promise<OpenPage | undefined>
  /** Gives it up (DELETE). */
  delete?(sent: OpenSent): Promise<OpenPage | undefined>
}

/** The context of such an address. There is no viewer, so the module decides what may be shown. */
export interface OpenLook {
  readonly all: Kysely<Tables>
  readonly now: number
  readonly baseUrl: string
  readonly settings: Settings
  readonly params: Readonly<Record<string, string>>
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The address that it comes from, or of IPv6 its network. */
  readonly network: string
  /** The person who is signed in with the requesting browser. */
  signedIn(): Promise<OpenPerson | undefined>
  /** Takes one of those that an address may have; seconds until there is one again, 0 where it got one. */
  spend(what: string, quota: OpenQuota): number
  /** Runs work in a job of the writer, as ticks do; `tool` is what the call log says. */
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
  /** The same piece by piece, for what is too large for the memory. @throws Refusal invalid_argument where it ends early */
  pieces(): AsyncIterable<Uint8Array>
}

/** A person who is signed in with the browser that asks. */
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
  /** A whole document; its only styles are `styles`, in a <style> of its own. It has no scripts. */
  html: string
  styles: string
  /** It was here, and is not any more. */
  isGone?: boolean
  /** Whether search engines may list it. */
  isListed: boolean
  /** Its status; default 200. */
  status?: number
  /** Its media type; default HTML. */
  type?: string
  /** Cache-Control of the answer; default: revalidated each time by its ETag. */
  cache?: string
  /** It has a form, which is sent to this workspace. */
  takesForms?: true
  /** Redirect target below this workspace: the answer is 303. */
  location?: string
  /** A file of the drive in place of a page: to be saved, never shown. */
  file?: { name: string; mime_type: string; sha256: string; size_bytes: number }
  /** Seconds to wait before the next try. */
  retryAfter?: number
  /** Further headers, for programs. */
  headers?: readonly (readonly [name: string, value: string])[]
}
