import { z } from 'zod'
import { setting, whole } from './setting.ts'

const webAddress = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}

/** Vectors from elsewhere; docs/search-provider.md explains them. */
export const embeddingSettings = {
  embeddings_url: setting({
    env: 'WORKSPACE_EMBEDDINGS_URL',
    flag: '--embeddings-url <url>',
    type: z.string().refine(text => text === '' || webAddress(text), 'must be an address such as http://127.0.0.1:11434 or https://api.openai.com/v1, without a key in it'),
    default: '',
    help: 'A server that makes vectors of texts for search, as POST /v1/embeddings of OpenAI does (Ollama, llama.cpp, text-embeddings-inference); it gets all texts. Empty: search makes its own, and nothing leaves. One in the own network is to be opened with --outbound-allow.',
  }),
  embeddings_model: setting({ env: 'WORKSPACE_EMBEDDINGS_MODEL', flag: '--embeddings-model <name>', type: z.string(), default: '', help: 'The model that it is asked for, as nomic-embed-text; needed with --embeddings-url.' }),
  embeddings_key_file: setting({ env: 'WORKSPACE_EMBEDDINGS_KEY_FILE', flag: '--embeddings-key-file <file>', type: z.string(), default: '', help: 'File of the key for it; read for each request, so it may change. The variable WORKSPACE_EMBEDDINGS_KEY takes the key itself instead.' }),
  embeddings_dimensions: setting({ env: 'WORKSPACE_EMBEDDINGS_DIMENSIONS', flag: '--embeddings-dimensions <number>', type: whole.min(0).max(16_384), default: 0, help: 'To how many dimensions the model is to cut its vectors, where it can; 0: as it makes them.' }),
  embeddings_query_prefix: setting({ env: 'WORKSPACE_EMBEDDINGS_QUERY_PREFIX', flag: '--embeddings-query-prefix <text>', type: z.string().max(1000), default: '', help: 'What the model wants before a question, as "search_query: ".' }),
  embeddings_document_prefix: setting({ env: 'WORKSPACE_EMBEDDINGS_DOCUMENT_PREFIX', flag: '--embeddings-document-prefix <text>', type: z.string().max(1000), default: '', help: 'What it wants before a text, as "search_document: ".' }),
  embeddings_batch: setting({ env: 'WORKSPACE_EMBEDDINGS_BATCH', flag: '--embeddings-batch <number>', type: whole.min(1).max(2000), default: 64, help: 'Passages that one request has at most.' }),
  embeddings_timeout: setting({ env: 'WORKSPACE_EMBEDDINGS_TIMEOUT', flag: '--embeddings-timeout <seconds>', type: whole.min(1).max(600), default: 60, help: 'How long a request with passages may take.' }),
  embeddings_query_timeout: setting({
    env: 'WORKSPACE_EMBEDDINGS_QUERY_TIMEOUT',
    flag: '--embeddings-query-timeout <milliseconds>',
    type: whole.min(10).max(60_000),
    default: 1500,
    help: 'How long a search waits for the vector of its question, before it is answered by the vectors of this program.',
  }),
}
