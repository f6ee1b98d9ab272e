import { omitNullish } from '../kernel/present.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../db/open.ts'
import { findKeys } from '../keys/format.ts'
import { findTokens } from '../keys/tokens.ts'
import { revokeKey } from '../keys/issue.ts'
import type { KeyGate } from '../keys/verify.ts'
import type { AbuseFindings, ReportedKey } from './findings.ts'

/** Place in which a key was exposed; keys belong only in one header of an encrypted connection. */
export type ExposedIn = 'url' | 'clear_http' | 'content'

/** Detects keys exposed in public places. */
export class ExposureDetector {
  readonly #app: { store: Store; clock: Clock; log: Log; settings: Settings; keys: KeyGate }
  readonly #findings: AbuseFindings

  constructor(
    app: { store: Store; clock: Clock; log: Log; settings: Settings; keys: KeyGate },
    findings: AbuseFindings,
  ) {
    this.#app = app
    this.#findings = findings
  }

  /** Scans a URL for keys. Runs in the background; the caller is not told the result. */
  scanUrl(url: string): void {
    if (!/(?:svc|wat|wrt)(?:_|%5f)/i.test(url)) return
    const plain = url.replace(/%5f/gi, '_')
    const texts = new Set([...findKeys(plain), ...findTokens(plain)].slice(0, 4))
    for (const text of texts) this.reportText(text, 'url')
  }

  /** Reports a text that may be a key. Only working keys count, so that only someone who knows a key can get it reported. */
  reportText(text: string, place: ExposedIn): void {
    this.#app.keys
      .recognize(text)
      .then((key) => key && this.reportKey(key, place))
      .catch((error: unknown) =>
        this.#app.log.error('an exposed key was not checked', { error: (error as Error).message }),
      )
  }

  /** Reports a key that is known to work. */
  reportKey(key: ReportedKey, where: ExposedIn): void {
    const { settings, store, clock } = this.#app
    this.#findings.raise({
      rule: 'exposed-key',
      key,
      subject: where,
      detail: omitNullish({
        seen_in: where,
        effect: settings.abuse_exposed_revoke ? 'revoked' : undefined,
      }),
    })
    if (!settings.abuse_exposed_revoke) return
    revokeKey(store, clock, settings.data, { key: key.id, via: 'web' }).catch((error: unknown) =>
      this.#app.log.error('an exposed key was not revoked', {
        key: key.id,
        error: (error as Error).message,
      }),
    )
  }
}
