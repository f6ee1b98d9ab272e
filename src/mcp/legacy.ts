import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type Server,
} from '@modelcontextprotocol/server'

/**
 * Answers one message of the older protocol revisions with plain JSON: for callers that accept no event stream, such
 * as scripts.
 * `server` serves only this message.
 */
export async function answerInJson(
  server: Server,
  request: Request,
  options: { parsedBody: unknown; authInfo: AuthInfo },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, options)
  } finally {
    await server.close()
  }
}
