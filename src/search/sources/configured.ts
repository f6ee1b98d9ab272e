import type { Settings } from '../../config/settings.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { EncoderProcess } from '../encoder/process.ts'
import { EncoderSource } from '../encoder/source.ts'
import { providerOf } from './provider.ts'
import type { VectorSource } from './vector-source.ts'

/** The configured source of vectors besides the bundled table; undefined if there is none. */
export function vectorSourceOf(
  settings: Settings,
  outbound: Outbound,
  now: () => number,
  env: NodeJS.ProcessEnv = process.env,
): VectorSource | undefined {
  if (settings.embeddings_url !== '') return providerOf(settings, outbound, now, env)
  if (settings.embeddings !== 'encoder') return undefined
  return new EncoderSource(
    new EncoderProcess({ threads: settings.embeddings_threads }),
    {
      get queryTimeoutMs() {
        return settings.embeddings_query_timeout
      },
    },
    now,
  )
}
