import { z } from 'zod'
import { setting, wholeNumber } from './setting.ts'
import { isWebAddress } from './web-address.ts'

/** External embeddings; see docs/search-provider.md. */
export const embeddingSettings = {
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
