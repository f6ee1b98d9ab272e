import { z } from 'zod'
import { setting, wholeNumber } from './setting.ts'
import { isWebAddress } from './web-address.ts'

/** A server that reranks the best hits of a search; see docs/search-reranker.md. */
export const rerankSettings = {
  rerank_url: setting({
    env: 'WORKSPACE_RERANK_URL',
    flag: '--rerank-url <url>',
    type: z
      .string()
      .refine(
        (text) => text === '' || isWebAddress(text),
        'must be an address such as http://127.0.0.1:8080 or https://api.jina.ai/v1, without a key in it',
      ),
    default: '',
    help: 'A reranker compatible with POST /v1/rerank of Cohere and Jina (llama.cpp, vLLM), or with POST /rerank of text-embeddings-inference; it receives queries and passages of the best 30 hits. Empty: hits keep the order of the built-in ranking, and nothing leaves. A server on a private network needs --outbound-allow.',
  }),
  rerank_model: setting({
    env: 'WORKSPACE_RERANK_MODEL',
    flag: '--rerank-model <name>',
    type: z.string(),
    default: '',
    help: 'Reranking model, if the server asks for one.',
  }),
  rerank_key_file: setting({
    env: 'WORKSPACE_RERANK_KEY_FILE',
    flag: '--rerank-key-file <file>',
    type: z.string(),
    default: '',
    help: 'File with its API key, read for each request, so it may change. WORKSPACE_RERANK_KEY takes the key itself instead.',
  }),
  rerank_timeout: setting({
    env: 'WORKSPACE_RERANK_TIMEOUT',
    flag: '--rerank-timeout <milliseconds>',
    type: wholeNumber.min(10).max(10_000),
    default: 150,
    help: 'How long a search waits for the reranker before it answers in the order of the built-in ranking.',
  }),
}
