import { z } from 'zod'
import { yesNoType, networkList, setting, wholeNumber } from './setting.ts'

const origins = /^(https?:\/\/[^\s/,]+(,|$))*$/

/** Settings for the transport; docs/operating.md explains them under "TLS and proxies". */
export const transportSettings = {
  tls_cert: setting({
    env: 'WORKSPACE_TLS_CERT',
    flag: '--tls-cert <file>',
    type: z.string(),
    default: '',
    help: 'TLS certificate chain (PEM); with --tls-key, the server speaks HTTPS itself. Reloaded on SIGHUP.',
  }),
  tls_key: setting({
    env: 'WORKSPACE_TLS_KEY',
    flag: '--tls-key <file>',
    type: z.string(),
    default: '',
    help: 'Private key of the certificate (PEM, no passphrase).',
  }),
  tls_self_signed: setting({
    env: 'WORKSPACE_TLS_SELF_SIGNED',
    flag: '--tls-self-signed [yes|no]',
    type: yesNoType,
    default: false,
    help: 'Speak HTTPS with a self-signed certificate for this machine; for a home network, where you make each client trust it.',
  }),
  http_redirect_port: setting({
    env: 'WORKSPACE_HTTP_REDIRECT_PORT',
    flag: '--http-redirect-port <number>',
    type: wholeNumber.min(0).max(65535),
    default: 0,
    help: 'Port that redirects browsers from HTTP to HTTPS and refuses everything else; 0: none.',
  }),
  trusted_proxies: setting({
    env: 'WORKSPACE_TRUSTED_PROXIES',
    flag: '--trusted-proxies <networks>',
    type: networkList,
    default: '',
    help: 'Addresses of your reverse proxies, the only ones trusted for X-Forwarded-For, -Proto and -Host; with them, every request must use https.',
  }),
  also_at: setting({
    env: 'WORKSPACE_ALSO_AT',
    flag: '--also-at <url,…>',
    type: z
      .string()
      .regex(origins, 'must be a list such as https://work.lan,https://10.0.0.5:8787'),
    default: '',
    help: 'Additional addresses under which this instance answers; links always use the base URL.',
  }),
  mcp_streams: setting({
    env: 'WORKSPACE_MCP_STREAMS',
    flag: '--mcp-streams <number>',
    type: wholeNumber.min(1).max(100_000),
    default: 200,
    help: 'Open streams of keys allowed in total.',
  }),
  web_streams_per_person: setting({
    env: 'WORKSPACE_WEB_STREAMS_PER_PERSON',
    flag: '--web-streams-per-person <number>',
    type: wholeNumber.min(1).max(100_000),
    default: 24,
    help: 'Open streams allowed per person in the web app; a browser has one for all its tabs.',
  }),
  web_streams: setting({
    env: 'WORKSPACE_WEB_STREAMS',
    flag: '--web-streams <number>',
    type: wholeNumber.min(1).max(100_000),
    default: 2000,
    help: 'Open streams allowed in total in the web app.',
  }),
}
