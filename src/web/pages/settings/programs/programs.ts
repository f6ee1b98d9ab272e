export const programsPath = '/web/oauth/clients'
export const hostsPath = '/web/oauth/hosts'
