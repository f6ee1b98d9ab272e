/** Bytes that the body of a request may have. */
export const maxRequestBytes = 2 ** 20
