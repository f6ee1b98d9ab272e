/** Against callers who are slow, or send without end. None of them ends an answer that is under way, however long a stream lasts. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 0, // of whole requests: late-bodies.ts, which lets uploads take longer
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 75_000, // longer than the 60 s after which load balancers let go: they must be the first, or they send into a connection that just ended
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}

/** Milliseconds within which a request must arrive. */
export const requestTime = 30_000

/** Requests on one connection of HTTP/1.1; Node takes it as a property of the server only. */
export const maxRequests = 1_000
