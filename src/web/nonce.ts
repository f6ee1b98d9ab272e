/** What the policy of the page lets `<style>` elements of ours be known by. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

// Libraries that make such elements look for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
