// Assistants that sign in: they need only the address, no key, and the person decides on the consent page. Most run on
// their makers' servers and reach an instance over the internet.

import type { Client } from './client.ts'
import { mcpUrl, type Selection, type Target } from './target.ts'

const reachabilityNote =
  "It is called from its maker's servers: the instance needs a public https address on port 443. `workspace doctor --only oauth` checks the way."
/** Note on how the entry for a program was verified. */
const verificationNote = (what: string) =>
  `Made for it: ${what} is tested here; the program itself was not tried against a public instance.`
const consentNote =
  'Limit it on the consent page: read-only, modules, an expiry date, and approval of what it sends.'

interface HostedProgram {
  id: string
  title: string
  steps: readonly string[]
  notes: readonly string[]
}

/** A program that takes the address and then opens the sign-in in the browser. */
function hosted({ id, title, steps, notes }: HostedProgram): Client {
  return {
    id,
    title,
    setup: (target) => ({
      ways: [{ title: 'By signing in', steps, contents: [hostedAddress(target)] }],
      notes: [...notes, consentNote],
    }),
  }
}

function hostedAddress({ baseUrl, selection }: Target) {
  return {
    kind: 'values' as const,
    values: [{ label: 'Address', text: signInUrl(baseUrl, selection) }],
  }
}

/** Puts the selection in the path if possible: query support in these programs is the least tested. */
function signInUrl(baseUrl: string, { preset, toolsets, readonly, others }: Selection): string {
  const path = [
    '/mcp',
    preset && `/p/${preset}`,
    toolsets && `/x/${toolsets.join(',')}`,
    readonly && '/readonly',
  ]
  return mcpUrl(baseUrl, { others }, path.filter(Boolean).join(''))
}

export const claudeAi = hosted({
  id: 'claude-ai',
  title: 'Claude (web and phone)',
  steps: [
    'Open Settings > Connectors > Add custom connector and give the address. Connect it, and allow it here.',
    'A connector that was added once is in the web, desktop and phone programs of that account.',
  ],
  notes: [
    reachabilityNote,
    'Claude calls from 160.79.104.0/21, over IPv4.',
    verificationNote('the exchange with its published document and callback'),
  ],
})

export const chatGpt = hosted({
  id: 'chatgpt',
  title: 'ChatGPT',
  steps: [
    'Switch on Settings > Apps > Advanced settings > Developer mode.',
    'Create an app with the address and the authentication OAuth. Connect it, and allow it here.',
  ],
  notes: [
    reachabilityNote,
    verificationNote(
      'the exchange with its published document, with and without signed assertions,',
    ),
  ],
})

export const leChat = hosted({
  id: 'le-chat',
  title: 'Le Chat',
  steps: [
    'Open Connectors > Add connector > Custom MCP connector and give the address. Connect it, and allow it here.',
  ],
  notes: [reachabilityNote, verificationNote('registration with its callback')],
})

export const copilotStudio: Client = {
  id: 'copilot-studio',
  title: 'Copilot Studio',
  setup: (target) => ({
    ways: [
      {
        title: 'By signing in',
        steps: [
          'In the agent, open Tools > Add a tool > New tool > Model Context Protocol, give the address, and choose OAuth 2.0 > Manual. It shows a redirect address.',
          'An administrator of this instance runs the command with that address. Enter the id and the secret that it prints, and these addresses.',
        ],
        contents: [
          {
            kind: 'command',
            shell: 'any',
            text: 'workspace oauth clients add --name "Copilot Studio" --redirect https://global.consent.azure-apim.net/redirect/YOUR-CONNECTOR',
          },
          {
            kind: 'values',
            values: [
              ...hostedAddress(target).values,
              { label: 'Authorization URL', text: `${target.baseUrl}/oauth/authorize` },
              { label: 'Token URL', text: `${target.baseUrl}/oauth/token` },
              { label: 'Refresh URL', text: `${target.baseUrl}/oauth/token` },
              { label: 'Scopes', text: 'workspace:read workspace:write' },
            ],
          },
        ],
      },
    ],
    notes: [
      reachabilityNote,
      'Microsoft 365 Copilot and Gemini Enterprise are entered in the same way, with the redirect address that they show.',
      verificationNote('an entered client with its secret in the header and in the form'),
      consentNote,
    ],
  }),
}

export const perplexity = hosted({
  id: 'perplexity',
  title: 'Perplexity',
  steps: [
    'Open Settings > Connectors > Add custom connector, give the address and choose OAuth. Connect it, and allow it here.',
  ],
  notes: [reachabilityNote, verificationNote('registration with its callback')],
})

export const grok = hosted({
  id: 'grok',
  title: 'Grok',
  steps: [
    'Open Settings > Connectors > New connector > Custom and give the address. Connect it, and allow it here.',
  ],
  notes: [
    reachabilityNote,
    verificationNote('the exchange with its published document and callback'),
  ],
})

const localProgramNote =
  'It runs on your machine and reaches what your machine reaches; it signs in in your browser.'

export const goose = hosted({
  id: 'goose',
  title: 'Goose',
  steps: [
    'Open Extensions > Add custom extension, choose Streamable HTTP and give the address. Allow it here when the browser opens.',
  ],
  notes: [localProgramNote, verificationNote('registration with a callback on the same machine')],
})

export const antigravity = hosted({
  id: 'antigravity',
  title: 'Antigravity',
  steps: [
    'Open Manage MCP servers > View raw config and add the address as serverUrl, without a header. Allow it here when the browser opens.',
  ],
  notes: [
    localProgramNote,
    verificationNote('registration with its callback and with one on the same machine'),
  ],
})
