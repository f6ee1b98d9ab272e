import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Settings } from './settings.ts'

/** An address of a module that anyone may read, without a key: what somebody published. It is only looked at (GET, HEAD). */
export interface OpenPlace {
  /** As the router takes it: `/p/:slug`. */
  path: string
  /** The page there; undefined where there is none, which looks the same for whatever reason. */
  read(look: OpenLook): Promise<OpenPage | undefined>
}

/** What such a place is given. Nobody asks, so nothing is in anyone's sight: what may be shown is for the module to decide. */
export interface OpenLook {
  readonly all: Kysely<Tables>
  readonly now: number
  readonly baseUrl: string
  readonly settings: Settings
  readonly params: Readonly<Record<string, string>>
}

export interface OpenPage {
  /** A whole document; its only styles are `styles`, in a <style> of its own. It has no scripts. */
  html: string
  styles: string
  /** It was here, and is not any more. */
  isGone?: boolean
  /** Whether search engines may list it. */
  isListed: boolean
}
