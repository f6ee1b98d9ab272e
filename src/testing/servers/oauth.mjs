// A small OAuth 2 provider for tests: authorization code with PKCE (consent is
// given at once), refresh, revocation (RFC 7009), introspection (RFC 7662), and
// /control for tests. State is in memory.
import { createServer } from 'node:http'
import { createHash, randomBytes } from 'node:crypto'
import { HOST } from './stage.mjs'

const fresh = (kind) => `${kind}-${randomBytes(18).toString('base64url')}`

export class OAuth {
  codes = new Map() // code -> { user, scope, challenge, redirect }
  refresh = new Map() // refresh token -> { user, scope }
  access = new Map() // access token -> { user, scope, until, refresh }
  fail = null // { error, status }: what /token answers instead, when set
  calls = {} // path -> how often it was asked

  constructor({ clientId, clientSecret, ttl, actions = {} }) {
    Object.assign(this, { clientId, clientSecret, ttl, actions })
  }

  /** A grant as issued by the consent page. */
  issue({ user, scope = 'mail', expires_in = this.ttl }) {
    const refresh = fresh('rt')
    this.refresh.set(refresh, { user, scope })
    return { ...this.#access(refresh, { user, scope }, expires_in), refresh_token: refresh }
  }

  #access(refresh, { user, scope }, ttl = this.ttl) {
    const token = fresh('at')
    this.access.set(token, { user, scope, until: Date.now() + ttl * 1000, refresh })
    return { access_token: token, token_type: 'Bearer', expires_in: ttl, scope }
  }

  #live(token) {
    const a = this.access.get(token)
    return a && a.until > Date.now() ? a : null
  }

  #token(p, auth) {
    if (this.fail) return [this.fail.status ?? 400, { error: this.fail.error }]
    const [id, secret] = auth?.startsWith('Basic ')
      ? Buffer.from(auth.slice(6), 'base64').toString().split(':').map(decodeURIComponent)
      : [p.client_id, p.client_secret]
    if (id !== this.clientId || secret !== this.clientSecret)
      return [401, { error: 'invalid_client' }]
    if (p.grant_type === 'authorization_code') {
      const c = this.codes.get(p.code)
      this.codes.delete(p.code)
      const proof =
        p.code_verifier && createHash('sha256').update(p.code_verifier).digest('base64url')
      if (!c || c.redirect !== p.redirect_uri || (c.challenge && c.challenge !== proof))
        return [400, { error: 'invalid_grant' }]
      return [200, this.issue(c)]
    }
    if (p.grant_type === 'refresh_token') {
      const r = this.refresh.get(p.refresh_token)
      return r
        ? [200, this.#access(p.refresh_token, r)]
        : [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }]
    }
    return [400, { error: 'unsupported_grant_type' }]
  }

  #revoke(token) {
    const refresh = this.access.get(token)?.refresh ?? token
    const isKnown = this.refresh.delete(refresh) || this.access.has(token)
    for (const [t, a] of this.access)
      if (t === token || a.refresh === refresh) this.access.delete(t)
    return isKnown ? [200, {}] : [400, { error: 'invalid_token' }]
  }

  async #answer(req, res) {
    const url = new URL(req.url, `http://${HOST}`)
    let body = ''
    for await (const d of req) body += d
    const json = req.headers['content-type']?.includes('json') && body
    const p = {
      ...Object.fromEntries(url.searchParams),
      ...(json ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))),
    }
    this.calls[url.pathname] = (this.calls[url.pathname] ?? 0) + 1
    const bearer = req.headers.authorization?.replace(/^Bearer /, '')
    switch (url.pathname) {
      case '/authorize': {
        const code = fresh('code')
        this.codes.set(code, {
          user: p.login_hint,
          scope: p.scope,
          challenge: p.code_challenge,
          redirect: p.redirect_uri,
        })
        const to = new URL(p.redirect_uri)
        to.searchParams.set('code', code)
        if (p.state) to.searchParams.set('state', p.state)
        res.writeHead(302, { location: to.href }).end()
        return null
      }
      case '/token':
        return this.#token(p, req.headers.authorization)
      case '/revoke':
        return this.#revoke(p.token)
      case '/introspect': {
        const a = this.#live(p.token)
        return [200, a ? { active: true, email: a.user, scope: a.scope } : { active: false }]
      }
      case '/userinfo': {
        const a = this.#live(bearer)
        return a
          ? [200, { sub: a.user, email: a.user, email_verified: true }]
          : [401, { error: 'invalid_token' }]
      }
      case '/control/issue':
        return [200, this.issue(p)]
      case '/control/expire':
        for (const a of this.access.values()) a.until = 0
        return [200, {}]
      case '/control/fail':
        this.fail = p.error ? { error: p.error, status: Number(p.status) || 400 } : null
        return [200, {}]
      case '/control/calls':
        return [200, this.calls]
    }
    const act = this.actions[url.pathname]
    return act ? [200, (await act(p)) ?? {}] : [404, { error: 'not_found' }]
  }

  listen(port) {
    this.server = createServer((req, res) => {
      this.#answer(req, res).then(
        (a) => {
          if (a)
            res.writeHead(a[0], { 'content-type': 'application/json' }).end(JSON.stringify(a[1]))
        },
        (e) => res.writeHead(500).end(String(e)),
      )
    })
    return new Promise((ok, no) => this.server.once('error', no).listen(port, HOST, ok))
  }

  close() {
    this.server.closeAllConnections()
    this.server.close()
  }
}
