interface Bare {
  /**
   * Minimum number of passing checks in all scenarios together: most of those of server-stateless; the rest need
   * fixtures.
   */
  checks: number
  scenarios: readonly string[]
}

const always = [
  'dns-rebinding-protection',
  'prompts-list',
  'resources-list',
  'server-sse-multiple-streams',
  'tools-list',
]
const withHandshake = [...always, 'ping', 'server-initialize']

/** Scenarios that the product passes as shipped, by run: those that require nothing specific to the suite. */
export const passesBare: Record<string, Bare> = {
  '0.1.16 all': { checks: 8, scenarios: withHandshake },
  '2025-11-25': { checks: 44, scenarios: [...withHandshake, 'server-session-lifecycle'] },
  '2026-07-28': {
    checks: 110,
    scenarios: [
      ...always,
      'caching',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'sep-2164-resource-not-found',
    ],
  },
}
