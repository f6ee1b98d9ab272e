/** Against callers who are slow, or send without end. None of them ends an answer that is under way, however long a stream lasts. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 0, // of whole requests: late-bodies.ts, which lets uploads take longer
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 20_000, // long enough for a client that thinks between two calls
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}

/** How long a request may take to arrive, in milliseconds. */
export const requestTime = 30_000

/** Requests on one connection of HTTP/1.1; Node takes it as a property of the server only. */
export const mostRequests = 1_000
