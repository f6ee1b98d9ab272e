import { z } from 'zod'
import { readNetworks } from './networks.ts'
import { flagType, setting, whole } from './setting.ts'

const origins = /^(https?:\/\/[^\s/,]+(,|$))*$/

/** How callers reach this instance: what docs/operating.md explains under "TLS and proxies". */
export const transportSettings = {
  tls_cert: setting({
    env: 'WORKSPACE_TLS_CERT',
    flag: '--tls-cert <file>',
    type: z.string(),
    default: '',
    help: 'Certificate in PEM, followed by its intermediates; with --tls-key the server speaks HTTPS itself. Reloaded on SIGHUP.',
  }),
  tls_key: setting({ env: 'WORKSPACE_TLS_KEY', flag: '--tls-key <file>', type: z.string(), default: '', help: 'Private key of that certificate, in PEM, without a passphrase.' }),
  tls_self_signed: setting({
    env: 'WORKSPACE_TLS_SELF_SIGNED',
    flag: '--tls-self-signed [yes|no]',
    type: flagType,
    default: false,
    help: 'Use a self-signed certificate for the names and addresses of this machine; for home networks, where each client is told to trust it.',
  }),
  http_redirect_port: setting({
    env: 'WORKSPACE_HTTP_REDIRECT_PORT',
    flag: '--http-redirect-port <number>',
    type: whole.min(0).max(65535),
    default: 0,
    help: 'A port that redirects browsers from HTTP to HTTPS and refuses everything else; 0: none.',
  }),
  trusted_proxies: setting({
    env: 'WORKSPACE_TRUSTED_PROXIES',
    flag: '--trusted-proxies <networks>',
    type: z.string().refine(text => readNetworks(text) !== undefined, 'must be a list such as 127.0.0.1,10.0.0.0/8,fd00::/8'),
    default: '',
    help: 'IP addresses of trusted proxies, whose X-Forwarded-For, -Proto and -Host are used; every request must then have come over HTTPS.',
  }),
  also_at: setting({
    env: 'WORKSPACE_ALSO_AT',
    flag: '--also-at <url,…>',
    type: z.string().regex(origins, 'must be a list such as https://work.lan,https://10.0.0.5:8787'),
    default: '',
    help: 'Further URLs under which this instance answers; links always use the base URL.',
  }),
  mcp_streams: setting({ env: 'WORKSPACE_MCP_STREAMS', flag: '--mcp-streams <number>', type: whole.min(1).max(100_000), default: 200, help: 'Concurrent streams in total.' }),
}
