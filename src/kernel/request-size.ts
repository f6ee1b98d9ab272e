/** Maximum bytes of a request body. */
export const maxRequestBytes = 2 ** 20
