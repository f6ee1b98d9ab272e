/** Nonce that the page's policy requires on our `<style>` elements. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

// Libraries that create such elements read it here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
