/** Limits against slow or endless requests. None of them ends a running answer, however long a stream lasts. */
export const limits = {
  headersTimeout: 10_000,
  requestTimeout: 0, // of whole requests: late-bodies.ts, which lets uploads take longer
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 75_000, // longer than the usual 60 s of load balancers: they must close first, or they send into a connection that just ended
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
}

/** Milliseconds within which a request must arrive. */
export const maxRequestMs = 30_000

/** Requests per HTTP/1.1 connection; Node accepts it only as a server property. */
export const maxRequests = 1_000
