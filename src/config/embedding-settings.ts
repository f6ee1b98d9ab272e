import { z } from 'zod'
import { Refusal } from '../kernel/refusal.ts'
import { setting, wholeNumber } from './setting.ts'
import { isWebAddress } from './web-address.ts'

/** Sources of vectors; see docs/search-provider.md. */
export const embeddingSettings = {
  embeddings: setting({
    env: 'WORKSPACE_EMBEDDINGS',
    flag: '--embeddings <source>',
    type: z
      .string()
      .refine(
        (text) => text === 'encoder' || text === 'table' || isWebAddress(text),
        'must be encoder, table, or the address of a server such as http://127.0.0.1:11434',
      ),
    default: 'table',
    help: 'What search compares meaning with. encoder: a multilingual model inside this program, which needs 150 MB of memory while it works. table: vectors of English words, and nothing else. An address: the same as --embeddings-url.',
  }),
  embeddings_threads: setting({
    env: 'WORKSPACE_EMBEDDINGS_THREADS',
    flag: '--embeddings-threads <number>',
    type: wholeNumber.min(1).max(64),
    default: 1,
    help: 'Processor cores that the built-in encoder uses.',
  }),
  embeddings_url: setting({
    env: 'WORKSPACE_EMBEDDINGS_URL',
    flag: '--embeddings-url <url>',
    type: z
      .string()
      .refine(
        (text) => text === '' || isWebAddress(text),
        'must be an address such as http://127.0.0.1:11434 or https://api.openai.com/v1, without a key in it',
      ),
    default: '',
    help: 'An embeddings server compatible with POST /v1/embeddings of OpenAI (Ollama, llama.cpp, text-embeddings-inference); it receives all texts. Empty: embeddings are made locally, and nothing leaves. A server on a private network needs --outbound-allow.',
  }),
  embeddings_model: setting({
    env: 'WORKSPACE_EMBEDDINGS_MODEL',
    flag: '--embeddings-model <name>',
    type: z.string(),
    default: '',
    help: 'Embedding model, such as nomic-embed-text; required with --embeddings-url.',
  }),
  embeddings_key_file: setting({
    env: 'WORKSPACE_EMBEDDINGS_KEY_FILE',
    flag: '--embeddings-key-file <file>',
    type: z.string(),
    default: '',
    help: 'File with its API key, read for each request, so it may change. WORKSPACE_EMBEDDINGS_KEY takes the key itself instead.',
  }),
  embeddings_dimensions: setting({
    env: 'WORKSPACE_EMBEDDINGS_DIMENSIONS',
    flag: '--embeddings-dimensions <number>',
    type: wholeNumber.min(0).max(16_384),
    default: 0,
    help: 'Dimensions to request, if the model supports it; 0: its default.',
  }),
  embeddings_query_prefix: setting({
    env: 'WORKSPACE_EMBEDDINGS_QUERY_PREFIX',
    flag: '--embeddings-query-prefix <text>',
    type: z.string().max(1000),
    default: '',
    help: 'Prefix the model expects before a query, such as "search_query: ".',
  }),
  embeddings_document_prefix: setting({
    env: 'WORKSPACE_EMBEDDINGS_DOCUMENT_PREFIX',
    flag: '--embeddings-document-prefix <text>',
    type: z.string().max(1000),
    default: '',
    help: 'Prefix it expects before a text, such as "search_document: ".',
  }),
  embeddings_batch: setting({
    env: 'WORKSPACE_EMBEDDINGS_BATCH',
    flag: '--embeddings-batch <number>',
    type: wholeNumber.min(1).max(2000),
    default: 64,
    help: 'Maximum passages per request.',
  }),
  embeddings_timeout: setting({
    env: 'WORKSPACE_EMBEDDINGS_TIMEOUT',
    flag: '--embeddings-timeout <seconds>',
    type: wholeNumber.min(1).max(600),
    default: 60,
    help: 'Timeout of a request with passages.',
  }),
  embeddings_query_timeout: setting({
    env: 'WORKSPACE_EMBEDDINGS_QUERY_TIMEOUT',
    flag: '--embeddings-query-timeout <milliseconds>',
    type: wholeNumber.min(10).max(60_000),
    default: 1500,
    help: 'How long a search waits for the vector of its query before it falls back to local embeddings.',
  }),
}

/** The address of the embeddings server, from either setting; empty: none. @throws Refusal if they name two */
export function embeddingsUrlOf({
  embeddings,
  embeddings_url,
}: {
  embeddings: string
  embeddings_url: string
}): string {
  if (!isWebAddress(embeddings)) return embeddings_url
  if (embeddings_url !== '' && embeddings_url !== embeddings)
    throw new Refusal(
      'invalid_argument',
      '--embeddings and --embeddings-url name two servers: set one of them.',
    )
  return embeddings
}
