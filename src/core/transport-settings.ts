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
    help: 'Certificate in PEM, with those between it and the root behind it; with --tls-key the server speaks HTTPS itself. Read again at SIGHUP.',
  }),
  tls_key: setting({ env: 'WORKSPACE_TLS_KEY', flag: '--tls-key <file>', type: z.string(), default: '', help: 'The private key of that certificate, in PEM, without a passphrase.' }),
  tls_self_signed: setting({
    env: 'WORKSPACE_TLS_SELF_SIGNED',
    flag: '--tls-self-signed [yes|no]',
    type: flagType,
    default: false,
    help: 'Speak HTTPS with a certificate that the server makes for the names and addresses of this machine; for a network at home, where each program is told to trust it.',
  }),
  http_redirect_port: setting({
    env: 'WORKSPACE_HTTP_REDIRECT_PORT',
    flag: '--http-redirect-port <number>',
    type: whole.min(0).max(65535),
    default: 0,
    help: 'A port that sends browsers from plain HTTP to HTTPS, and refuses everything else; 0: none.',
  }),
  trusted_proxies: setting({
    env: 'WORKSPACE_TRUSTED_PROXIES',
    flag: '--trusted-proxies <networks>',
    type: z.string().refine(text => readNetworks(text) !== undefined, 'must be a list such as 127.0.0.1,10.0.0.0/8,fd00::/8'),
    default: '',
    help: 'Addresses of the proxies in front, which alone are believed in X-Forwarded-For, -Proto and -Host; with them every request must have come by https.',
  }),
  also_at: setting({
    env: 'WORKSPACE_ALSO_AT',
    flag: '--also-at <url,…>',
    type: z.string().regex(origins, 'must be a list such as https://work.lan,https://10.0.0.5:8787'),
    default: '',
    help: 'Further addresses under which this instance answers, besides its base URL, with which all links begin.',
  }),
  mcp_streams: setting({ env: 'WORKSPACE_MCP_STREAMS', flag: '--mcp-streams <number>', type: whole.min(1).max(100_000), default: 200, help: 'Streams that may be open at once in all.' }),
}
