/** Against callers who are slow, or send without end. None of them ends an answer that is under way, however long a stream lasts. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}

/** Requests on one connection of HTTP/1.1; Node takes it as a property of the server only. */
export const mostRequests = 1_000
